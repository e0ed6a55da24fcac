import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP/2 with prior knowledge, without TLS.
@Suite(
    .timeLimit(.minutes(3)),
    .requires(.nghttpx))
struct PriorKnowledgeTests {
    private func transport(
        to front: PlainHTTP2, limit: Int = 0
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        configuration.threads = 1
        configuration.maxConnectionsPerHost = limit
        configuration.network.unixSocket = front.socket
        return try CurlTransport(configuration: configuration)
    }

    @Test func `sequential requests over HTTP/2 with prior knowledge succeed`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let front = try await PlainHTTP2(before: server.port)
        let transport = try transport(to: front)
        for number in 1...3 {
            var urlRequest = URLRequest(url: front.url.appendingPathComponent("post"))
            urlRequest.httpMethod = "POST"
            let body = RequestBody.data(Data("\(number)".utf8))
            let response = try await transport.send(TransportRequest(urlRequest, body: body))
            #expect(response.head.statusCode == 200)
            #expect(response.metrics.protocolName == "h2")
        }
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["1", "2", "3"])
    }

    @Test(arguments: [0, 4])
    func `concurrent requests over HTTP/2 with prior knowledge succeed within the limit`(limit: Int)
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let front = try await PlainHTTP2(before: server.port)
        let transport = try transport(to: front, limit: limit)
        let request = TransportRequest(URLRequest(url: front.url.appendingPathComponent("get")))
        let loop = try transport.firstLoop()
        let mostBegun = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let response = try await transport.send(request)
                    #expect(response.head.statusCode == 200)
                    #expect(response.metrics.protocolName == "h2")
                    return try await loop.perform { $0.handles.active.count }
                }
            }
            return try await group.reduce(0, max)
        }
        #expect(server.requests.count == 64)
        // If each request needs its own connection, the limit applies to requests.
        let isLimited =
            limit > 0
            && !PriorKnowledge.sharesConnections(
                transport.configuration.httpVersion, isSecure: false)
        if isLimited { #expect(mostBegun <= limit) }
    }
}

/// An nghttpx proxy on a Unix domain socket that forwards HTTP/2 requests without TLS to an
/// HTTP/1.1 server.
private final class PlainHTTP2: Sendable {
    let url: URL
    /// A Unix domain socket, because another process could take a port before nghttpx listens.
    let socket: URL
    private let folder: TemporaryFolder
    private let process: Program

    init(before port: Int) async throws {
        url = try #require(URL(string: "http://front.test/"))
        folder = try TemporaryFolder()
        socket = folder.file("socket")
        let log = folder.file("log")
        let process = try Program(
            Program.path(of: "nghttpx") ?? "nghttpx",
            [
                "--conf=/dev/null", "--frontend=unix:\(socket.path);no-tls",
                "--backend=127.0.0.1,\(port)", "--workers=1", "--errorlog-file=\(log.path)",
            ])
        self.process = process
        try await until {
            let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            guard process.isRunning else { throw IssueError("nghttpx does not run: \(said)") }
            return said.contains("Listening on UNIX domain socket")
        }
    }

    deinit { process.end() }
}
