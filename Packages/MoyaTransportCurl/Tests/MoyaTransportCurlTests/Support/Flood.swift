import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that sends `start` on each connection, then `piece` as long as the client reads.
struct Flood {
    let server: RawServer
    /// Number of bytes that the sockets have accepted.
    let sent = Locked(0)
    private let isOver = Locked(false)

    init(_ start: String = "", then piece: Data, afterRequest: Bool) throws {
        let (sent, isOver) = (sent, isOver)
        server = try RawServer { connection in
            if afterRequest { _ = connection.read(until: "\r\n\r\n") }
            connection.write(start)
            while connection.write(piece) { sent.withLock { $0 += piece.count } }
            isOver.withLock { $0 = true }
        }
    }

    func waitUntilBegun() async throws {
        try await until { sent.withLock { $0 } >= 256 << 10 || isOver.withLock { $0 } }
    }

    /// Expects that a request to `url`, handled by the server, perhaps as a proxy, fails, and that
    /// requests to another server on the same thread succeed meanwhile. With `cancels`, the request
    /// is cancelled at the end.
    @discardableResult
    func expectOthersToGoOn(
        beside url: String, cancels: Bool = false,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws -> URLError? {
        let other = try MockServer { _ in .text("other") }
        defer {
            other.stop()
            server.stop()
        }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        change(&configuration)
        let transport = try CurlTransport(configuration: configuration)
        let hostile = TransportRequest(URLRequest(url: try #require(URL(string: url))))
        let failure = Task {
            await #expect(throws: URLError.self) { try await transport.send(hostile) }
        }
        try await waitUntilBegun()
        for _ in 0..<3 {
            let response = try await transport.send(TransportRequest(URLRequest(url: other.url)))
            #expect(response.head.statusCode == 200)
        }
        if cancels { failure.cancel() }
        return await failure.value
    }
}
