import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Starts a server that reads the head of a request, writes `answer`, and keeps the connection
/// until the client closes it.
func serve(_ answer: String) throws -> RawServer {
    try RawServer { connection in
        _ = connection.read(until: "\r\n\r\n")
        connection.write(answer)
        connection.waitForClient()
    }
}

/// Starts a server that answers the preface of HTTP/2 and calls `answer` with each connection.
func serveHTTP2(
    _ answer: @escaping @Sendable (RawServer.Connection) -> Void
) throws -> RawServer {
    try RawServer { connection in
        _ = connection.read(until: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        connection.write(
            HTTP2FaultTests.Frame.settings + HTTP2FaultTests.Frame.settingsAcknowledged)
        answer(connection)
    }
}

/// Sends a GET request to `server`.
func send(
    to server: RawServer, _ transport: CurlTransport = CurlTransport()
) async throws -> TransportResponse {
    try await transport.send(TransportRequest(URLRequest(url: server.url)))
}
