import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses that could access memory of an earlier transfer through a reused easy handle.
@Suite struct HandleReuseTests {
    private static let good = "HTTP/1.1 200 OK\r\nX-First: 1\r\nContent-Length: 5\r\n\r\nhello"
    /// A response with white space before its first field line (RFC 9112, section 2.2).
    private static let folded = "HTTP/1.1 200 OK\r\n x: y\r\nContent-Length: 5\r\n\r\nhello"

    /// The text of a response whose first field line is `line`, which begins with white space.
    /// `nil` if libcurl refuses the line: before 8.3, and later if it has no colon.
    private static func text(after line: String) -> String? {
        CurlLibrary.version >= 0x080300 && line.contains(":") ? "hello" : nil
    }

    /// A server that sends `responses` in turn.
    private func serve(_ responses: [String]) throws -> RawServer {
        let count = Counter()
        return try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write(responses[(count.next() - 1) % responses.count])
            }
        }
    }

    /// Sends a request. Returns the text of its body, or `nil` if the response is refused.
    private func text(_ transport: CurlTransport, _ request: TransportRequest) async throws
        -> String?
    {
        do {
            return String(decoding: try await transport.send(request).body.bytes(), as: UTF8.self)
        } catch is URLError {
            return nil
        }
    }

    /// Sends requests to a server that answers every second one with `folded`, whose first field
    /// line is `line`.
    private func alternate(_ folded: String, after line: String) async throws {
        let server = try serve([Self.good, folded])
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest(URLRequest(url: server.url))
        for _ in 0..<50 {
            #expect(try await text(transport, request) == "hello")
            #expect(try await text(transport, request) == Self.text(after: line))
        }
    }

    @Test(arguments: [" x: y", "\tx: y", " ", " \(String(repeating: "x", count: 4000)): y"])
    func `a folded first field line does not reach the fields of the previous transfer`(
        line: String
    ) async throws {
        let folded = Self.folded.replacingOccurrences(of: " x: y", with: line)
        try await alternate(folded, after: line)
    }

    /// An informational response has no field that libcurl could append to, and a status line of
    /// several pieces is none.
    @Test(arguments: [
        "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK",
        "HTTP/1.1 200 \(String(repeating: "A", count: 20_000))",
        "HTTP/1.1 200 \(String(repeating: "A ", count: 30_000))",
    ])
    func `a folded first field line after a head without fields does not reach them`(head: String)
        async throws
    {
        let line = " x: y"
        let folded = Self.folded.replacingOccurrences(of: "HTTP/1.1 200 OK", with: head)
        try await alternate(folded, after: line)
    }

    @Test(arguments: [
        " hello", "HTTP/1.1 404 No\r\n\r\n", "\r\n", "\thello\r\n x: y\r\n",
        String(repeating: " x\r\n", count: 10_000),
    ])
    func `a body that looks like lines of a head is the body of each response`(body: String)
        async throws
    {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n"
        let long = "X-Long: \(String(repeating: " y", count: 20_000))\r\n"
        let server = try serve(
            ["", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"].flatMap { first in
                ["", "A: b\r\n c: d\r\n", long].map { first + head + $0 + "\r\n" + body }
            })
        defer { server.stop() }
        let transport = CurlTransport()
        for method in ["GET", "POST"] {
            var request = URLRequest(url: server.url)
            request.httpMethod = method
            for _ in 0..<12 {
                #expect(try await text(transport, TransportRequest(request)) == body)
            }
        }
    }

    @Test func `a folded first field line after a challenge leaves the transport usable`()
        async throws
    {
        // libcurl answers only challenges of proxies, and Negotiate.
        let challenge =
            "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"a\", nonce=\"n\"\r\n"
            + "Content-Length: 0\r\n\r\n"
        let server = try RawServer { connection in
            while true {
                let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
                if head.isEmpty { return }
                let isKnown = head.contains("Proxy-Authorization: Digest")
                connection.write(isKnown ? Self.folded : challenge)
            }
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(server.url, user: "u", password: "p")
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: server.url))
        // Every libcurl accepts the line, until 8.17 as a continuation of the challenge's last
        // field.
        for _ in 0..<50 { #expect(try await text(transport, request) == "hello") }
        try await expectSuccess(transport)
    }

    @Test func `a request succeeds although every idle connection before it has died`()
        async throws
    {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(Self.good)
            // The second request gets no response.
            _ = connection.read(until: "\r\n\r\n")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<30 {
            let response = try await transport.send(TransportRequest(URLRequest(url: server.url)))
            #expect(response.head.statusCode == 200)
        }
    }

    @Test func `parallel requests survive responses that begin with folded lines`() async throws {
        let server = try serve([Self.good, Self.folded, Self.good, Self.folded, Self.folded])
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest(URLRequest(url: server.url))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let answer = try await text(transport, request)
                        // The order of the tasks decides which of the responses a request gets.
                        #expect([Self.text(after: " x: y"), "hello"].contains(answer))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await expectSuccess(transport)
    }

    /// Expects that `transport` still gets a response from another server.
    private func expectSuccess(_ transport: CurlTransport) async throws {
        let server = try serve([Self.good])
        defer { server.stop() }
        let request = TransportRequest(URLRequest(url: server.url))
        #expect(try await text(transport, request) == "hello")
    }
}
