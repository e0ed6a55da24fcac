import MoyaCore

/// A transport made of a closure, for layers without state.
struct Layer: Transport {
    /// The transport that the closure calls.
    let next: any Transport
    /// Header fields that the closure adds.
    let added: [String: String]
    let exchange: @Sendable (TransportRequest) async throws -> TransportResponse

    init(
        around next: any Transport, adding added: [String: String] = [:],
        _ exchange: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) {
        self.next = next
        self.added = added
        self.exchange = exchange
    }

    var sessionHeaders: [String: String] { next.sessionHeaders.merging(added) { $1 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await exchange(request)
    }
}
