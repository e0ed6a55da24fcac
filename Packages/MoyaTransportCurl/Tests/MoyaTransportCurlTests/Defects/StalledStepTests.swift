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
        try await flood.expectOthersToGoOn(beside: "https://moya.test/") { configuration in
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
        try await flood.expectOthersToGoOn(beside: flood.server.url.absoluteString, cancels: true)
    }

    @Test func `exchangeTimeout ends a response whose chunk extension never ends`() async throws {
        let flood = try Flood(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
            then: Data(repeating: UInt8(ascii: "x"), count: 16_000), afterRequest: true)
        let error = try await flood.expectOthersToGoOn(beside: flood.server.url.absoluteString) {
            $0.exchangeTimeout = 2
        }
        #expect(error?.code == .timedOut)
    }
}
