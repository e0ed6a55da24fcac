import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Unusual messages from servers and callers.
@Suite struct OddMessageTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"

    @Test(arguments: [
        ("HTTP/1.1 999 x\r\nContent-Length: 0\r\n", 999),
        ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok, 200),
        ("HTTP/1.1 100 Continue\r\n\r\n" + ok, 200),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n", 204),
        ("HTTP/1.1 304 Not Modified\r\n", 304), ("HTTP/1.0 200 OK\r\n", 200),
        ("HTTP/1.1 300 Choices\r\nLocation: /x\r\nContent-Length: 0\r\n", 300),
        ("HTTP/1.1 305 Use Proxy\r\nLocation: http://a.test/\r\nContent-Length: 0\r\n", 305),
        (ok + "A: b\r\n folded\r\n", 200), (ok + "Content-Type: ;;;=\"\r\n", 200),
        (ok + "Set-Cookie: ;;;\r\nSet-Cookie: a=b; expires=never\r\n", 200),
        (
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"\r\nContent-Length: 0\r\n",
            401
        ),
        ("HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n", 407),
        ("HTTP/1.1 302 Found\r\nLocation: ?%zz\r\nContent-Length: 0\r\n", 302),
        ("HTTP/1.1 302 Found\r\nLocation: //host:99999999/\r\nContent-Length: 0\r\n", 302),
        ("HTTP/1.1 302 Found\r\nLocation: mailto:x\r\nContent-Length: 0\r\n", 302),
    ])
    func `an unusual but valid response is accepted`(head: String, status: Int) async throws {
        let server = try MockServer { _ in .raw(Data((head + "\r\n").utf8)) }
        defer { server.stop() }
        let response = try await FoundationTransport().send(
            TransportRequest(URLRequest(url: server.url), redirectPolicy: .refuse))
        #expect(response.head.statusCode == status)
    }

    @Test(arguments: [
        "HTTP/1.1 1000 x\r\n", "HTTP/1.1 99 x\r\n", "HTTP/0.9 200 OK\r\n", "HTTP/3.1 200 OK\r\n",
        "HTTP/1.1 abc\r\n", "ICY 200 OK\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n", "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n",
        "HTTP/1.1 200 OK\r\nX: \0\r\n",
    ])
    func `a malformed response is a bad response`(head: String) async throws {
        let server = try MockServer { _ in .raw(Data((head + "\r\n").utf8)) }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(error?.code == .badServerResponse, "\(String(describing: error))")
    }

    @Test(arguments: [
        "http://127.0.0.1:99999/", "http://a%00b/", "http://a%20b/", "http://u%0d%0a@127.0.0.1:1/",
    ])
    func `a URL that cannot be requested is an error`(text: String) async throws {
        let url = try #require(URL(string: text))
        await #expect(throws: (any Error).self) {
            try await FoundationTransport().send(TransportRequest(URLRequest(url: url)))
        }
    }

    private static let withTrailers: RequestBodyStream = {
        var stream = RequestBodyStream { AsyncStream<Data> { $0.finish() } }
        stream.trailers = { [] }
        return stream
    }()

    @Test(arguments: [
        ("CONNECT", RequestBody.none, URLError.Code.unsupportedURL),
        ("HEAD", .data(Data("body".utf8)), .badURL),
        ("HEAD", .stream(RequestBodyStream { AsyncStream<Data> { $0.finish() } }), .badURL),
        ("POST", .stream(withTrailers), .unsupportedURL),
    ])
    func `CONNECT, HEAD with a body, and trailer fields are refused before connecting`(
        method: String, body: RequestBody, code: URLError.Code
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        let senseless = TransportRequest(request, body: body)
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(senseless)
        }
        #expect(error?.code == code)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: [(1024, nil), (1025, .badURL)] as [(Int, URLError.Code?)])
    func `a method of 1,024 bytes is sent and a longer method is an error`(
        length: Int, code: URLError.Code?
    ) async throws {
        let server = try MockServer { _ in .text("hello") }
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        request.httpMethod = String(repeating: "A", count: length)
        let long = TransportRequest(request)
        let found = await urlErrorCode { try await FoundationTransport().send(long) }
        #expect(found == code)
        #expect(server.requests.map(\.method) == (code == nil ? [request.httpMethod] : []))
    }

    @Test func `a method of 8 MB is an error`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        request.httpMethod = String(repeating: "A", count: 8_000_001)
        let endless = TransportRequest(request)
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(endless)
        }
        #expect(error?.code == .badURL)
        #expect(server.requests.isEmpty)
    }
}
