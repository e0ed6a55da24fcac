import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that withholds every response until the test releases it, and counts cancelled
/// requests.
public final class HeldTransport: Transport {
    private struct Exchanges: Sendable {
        var sent: [TransportRequest] = []
        var held: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelCount = 0
        var isOpen = false
    }

    private let exchanges = Watched(Exchanges())
    private let body: String

    /// Creates a transport whose responses have `body`.
    public init(_ body: String = #"{"name":"real"}"#) {
        self.body = body
    }

    /// The requests sent.
    public var sent: [TransportRequest] { exchanges.value.sent }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let id = exchanges.change { exchanges in
            exchanges.sent.append(request)
            return exchanges.sent.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOpen = exchanges.change { exchanges in
                    if !exchanges.isOpen { exchanges.held[id] = continuation }
                    return exchanges.isOpen
                }
                if isOpen { continuation.resume() }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        return TransportResponse(
            head: ResponseHead(statusCode: 200, url: url), body: .data(Data(body.utf8)))
    }

    /// Reports progress to the first request: the received bytes, and the total if it is known.
    public func report(_ received: Int64, of total: Int64?) {
        sent.first?.progress?(TransferProgress(bytesReceived: received, bytesToReceive: total))
    }

    /// Releases all withheld responses, and delivers later responses at once.
    public func open() {
        let held = exchanges.change { exchanges in
            exchanges.isOpen = true
            defer { exchanges.held = [:] }
            return exchanges.held
        }
        for continuation in held.values { continuation.resume() }
    }

    /// Waits until `count` requests have been sent.
    public func waitForSends(_ count: Int = 1) async {
        await exchanges.wait { $0.sent.count >= count }
    }

    /// Waits until `count` requests have been cancelled.
    public func waitForCancels(_ count: Int = 1) async {
        await exchanges.wait { $0.cancelCount >= count }
    }

    private func cancel(_ id: Int) {
        let held = exchanges.change { exchanges -> CheckedContinuation<Void, any Error>? in
            guard let held = exchanges.held.removeValue(forKey: id) else { return nil }
            exchanges.cancelCount += 1
            return held
        }
        held?.resume(throwing: URLError(.cancelled))
    }
}
