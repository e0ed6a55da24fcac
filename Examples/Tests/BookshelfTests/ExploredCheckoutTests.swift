// Tests the app with every network fault at every request, and with many pairs of faults.
import Bookshelf
import Foundation
import Moya
import MoyaTesting
import Testing

@Suite struct ExploredCheckoutTests {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a checkout orders once or tells the user, whatever the network does`() async throws
    {
        var options = ExplorationOptions()
        options.runs = 2000
        // Each run tests other pairs, unless MOYA_SEED is set.
        options.seed = SeededGenerator.processSeed
        try await explore(.everyFault, depth: 2, options: options, server: { ShopServer() }) {
            network in
            let transport = network.retrying(.exponential(), clock: network.clock)
                .timingOut(after: 60, clock: network.clock)
            let provider = MoyaProvider<ShopAPI>(transport: transport)
            return try await Checkout(provider: provider, folder: network.folder).run()
        } holding: { run in
            run.neverSends(.post, "/v1/orders", moreThan: 1, unlessIdempotent: true)
            run.ends(within: .seconds(150))
            run.leavesNothingBehind()
            run.check("there is one order at most") { run.server.orderCount <= 1 }
            run.check("an order is there or the user was told") {
                run.server.orderCount == 1 || run.error != nil
            }
        }
    }
}

/// A shop that treats two orders with the same idempotency key as one.
///
/// Safe: `lock` guards `keys`, the only mutable state.
private final class ShopServer: Transport, @unchecked Sendable {
    // Guarded by `lock`.
    private var keys: [String] = []
    private let lock = NSLock()

    var orderCount: Int { lock.withLock { keys.count } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.urlRequest.httpMethod == "POST" else {
            return try .stub(json: Cart(items: [1, 2]), for: request)
        }
        let key = request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") ?? "none"
        return try .stub(status: 201, json: Receipt(number: order(key)), for: request)
    }

    /// Returns the number of the order with this key. Creates the order if the key is new.
    private func order(_ key: String) -> Int {
        lock.withLock {
            if let index = keys.firstIndex(of: key) { return index + 1 }
            keys.append(key)
            return keys.count
        }
    }
}
