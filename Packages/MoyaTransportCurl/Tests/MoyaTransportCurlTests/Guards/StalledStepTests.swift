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

/// Servers and proxies that keep libcurl or the TLS library inside one call by sending endlessly.
@Suite(.timeLimit(.minutes(3))) struct StalledStepTests {
    /// A TLS record of 4,096 HelloRequest messages, which clients ignore (RFC 5246, section
    /// 7.4.1.1).
    private static let helloRequests = Data([0x16, 0x03, 0x03, 0x40, 0x00]) + Data(count: 0x4000)

    /// A server that sends `start` on each connection, then `piece` as long as the client reads.
    private struct Flood {
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
    }

    /// Expects that a request to `url`, which the flooding server or proxy handles, fails, and that
    /// requests to another server on the same thread succeed meanwhile. With `cancels`, the request
    /// is cancelled at the end.
    @discardableResult
    private func expectOthersToGoOn(
        beside flood: Flood, _ url: String, cancels: Bool = false,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws -> URLError? {
        let other = try MockServer { _ in .text("other") }
        defer {
            other.stop()
            flood.server.stop()
        }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        change(&configuration)
        let transport = try CurlTransport(configuration: configuration)
        let hostile = TransportRequest(URLRequest(url: try #require(URL(string: url))))
        let failure = Task {
            await #expect(throws: URLError.self) { try await transport.send(hostile) }
        }
        try await flood.waitUntilBegun()
        for _ in 0..<3 {
            let response = try await transport.send(TransportRequest(URLRequest(url: other.url)))
            #expect(response.head.statusCode == 200)
        }
        if cancels { failure.cancel() }
        return await failure.value
    }

    @Test func `a TLS server that never ends the handshake does not delay other requests`()
        async throws
    {
        let flood = try Flood(then: Self.helloRequests, afterRequest: false)
        let error = try await expectOthersToGoOn(
            beside: flood, "https://127.0.0.1:\(flood.server.port)/")
        #expect(error?.code == .secureConnectionFailed)
        // The socket buffers on both sides add to what the transport has read.
        #expect(flood.sent.withLock { $0 } < 64 << 20)
    }

    @Test func `a new connection is not mistaken for an earlier one shut down`() async throws {
        let flood = try Flood(then: Self.helloRequests, afterRequest: false)
        defer { flood.server.stop() }
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            // The body ends with the connection.
            connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        let transport = try CurlTransport(configuration: configuration)
        let hostile = try #require(URL(string: "https://127.0.0.1:\(flood.server.port)/"))
        for _ in 0..<3 {
            await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(URLRequest(url: hostile)))
            }
            let response = try await transport.send(TransportRequest(URLRequest(url: server.url)))
            #expect(try response.text == "hello")
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "a: b\r\n"),
        ("HTTP/1.1 200 ", "x"),
        ("HTTP/1.1 407 Who\r\nContent-Length: 9223372036854775807\r\n\r\n", "x"),
        ("HTTP/1.1 407 Who\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
        ("HTTP/1.1 407 Who\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x"),
        ("HTTP/1.1 407 Who\r\nConnection: close\r\n\r\n", "x"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("", "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n"),
    ])
    func `a proxy whose response to CONNECT never ends does not delay other requests`(
        start: String, piece: String
    ) async throws {
        let pieces = Data(String(repeating: piece, count: 4000).utf8)
        let flood = try Flood(start, then: pieces, afterRequest: true)
        try await expectOthersToGoOn(beside: flood, "https://moya.test/") { configuration in
            configuration.proxy = .url(flood.server.url)
            configuration.proxy.excludedHosts = ["127.0.0.1"]
        }
    }

    @Test(arguments: [
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("HTTP/1.1 ", "2"),
        ("HTTP/1.1 200 OK\r\nX: ", "x"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "a: b\r\n"),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", "\u{0}"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", "x"),
    ])
    func `a server whose response never ends does not delay other requests`(
        start: String, piece: String
    ) async throws {
        let pieces = Data(String(repeating: piece, count: 16_000).utf8)
        let flood = try Flood(start, then: pieces, afterRequest: true)
        try await expectOthersToGoOn(
            beside: flood, flood.server.url.absoluteString, cancels: true)
    }

    @Test func `exchangeTimeout ends a response whose chunk extension never ends`() async throws {
        let flood = try Flood(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
            then: Data(repeating: UInt8(ascii: "x"), count: 16_000), afterRequest: true)
        let error = try await expectOthersToGoOn(beside: flood, flood.server.url.absoluteString) {
            $0.exchangeTimeout = 2
        }
        #expect(error?.code == .timedOut)
    }
}
