import MoyaCore

/// A transport made of a closure, for layers without state.
struct Layer: Transport {
    let exchange: @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await exchange(request)
    }
}
