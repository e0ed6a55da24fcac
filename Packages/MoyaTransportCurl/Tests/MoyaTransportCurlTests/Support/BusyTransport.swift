import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport whose only connection is occupied by a request without a response.
struct BusyTransport: Sendable {
    let server: MockServer
    let transport: CurlTransport
    /// A request equal to the request that occupies the connection.
    let request: TransportRequest
    /// The task that occupies the connection until it is cancelled.
    let first: Task<TransportResponse, any Error>

    init(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) async throws {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnections = 1
        change(&configuration)
        let server = try MockServer()
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest.patient(server, "/stall")
        (self.server, self.transport, self.request) = (server, transport, request)
        first = Task { try await transport.send(request) }
        _ = try await server.waitForRequests(1)
    }
}
