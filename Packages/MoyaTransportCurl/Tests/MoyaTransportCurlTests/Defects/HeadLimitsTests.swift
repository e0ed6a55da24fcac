import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that send endless header fields, trailer fields or informational responses.
@Suite(.timeLimit(.minutes(3))) struct HeadLimitsTests {
    /// Expects that a response of `start` and endlessly repeated `piece` is refused.
    private func expectRefusal(
        _ start: String, then piece: String, destination: ResponseDestination = .memory()
    ) async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(start)
            let pieces = String(repeating: piece, count: 1000)
            while connection.write(pieces) {}
        }
        defer { server.stop() }
        let request = TransportRequest(URLRequest(url: server.url), destination: destination)
        let error = await #expect(throws: URLError.self) {
            let response = try await CurlTransport().send(request)
            if case .stream(let stream) = response.body { for try await _ in stream {} }
        }
        #expect(error?.code == .badServerResponse)
    }

    @Test(arguments: ["100 Continue", "102 Processing", "103 Early Hints"])
    func `endless informational responses are refused`(status: String) async throws {
        try await expectRefusal("", then: "HTTP/1.1 \(status)\r\n\r\n")
        try await expectRefusal("", then: "HTTP/1.1 \(status)\r\nLink: </style.css>\r\n\r\n")
    }

    @Test func `endless header fields are refused, short or long`() async throws {
        try await expectRefusal("HTTP/1.1 200 OK\r\n", then: "a:\r\n")
        try await expectRefusal(
            "HTTP/1.1 200 OK\r\n", then: "\(String(repeating: "x", count: 90)): y\r\n")
    }

    @Test func `endless trailer fields are refused, in memory and as a stream`() async throws {
        let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n"
        try await expectRefusal(start, then: "a: b\r\n")
        try await expectRefusal(start, then: "a: b\r\n", destination: .stream)
    }

    @Test func `fields of an answered challenge do not count against the response's limit`()
        async throws
    {
        // libcurl counts the fields of both responses, up to 300 KiB.
        let padding = "X-Padding: \(String(repeating: "x", count: 70_000))\r\n"
        let server = try RawServer { connection in
            while true {
                let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
                if head.isEmpty { return }
                let status =
                    head.contains("Authorization:")
                    ? "200 OK" : "401 Who\r\nWWW-Authenticate: Basic realm=\"a\""
                connection.write(
                    "HTTP/1.1 \(status)\r\n\(padding)\(padding)Content-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        var request = TransportRequest(URLRequest(url: server.url))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        #expect(try await CurlTransport().send(request).head.statusCode == 200)
    }

    @Test func `fields of a challenge are not in the response from another connection`()
        async throws
    {
        let server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            let start =
                head.contains("Authorization:")
                ? "200 OK" : "401 Who\r\nWWW-Authenticate: Basic realm=\"a\"\r\nConnection: close"
            connection.write("HTTP/1.1 \(start)\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        var request = TransportRequest(URLRequest(url: server.url))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        let response = try await CurlTransport().send(request)
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "WWW-Authenticate") == nil)
    }

    @Test func `a response with 2,000 trailer fields arrives`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            let fields = (0..<2000).map { "field-\($0): \($0)\r\n" }.joined()
            connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(fields)\r\n")
            connection.waitForClient()
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(URLRequest(url: server.url)))
        #expect(response.trailers.count == 2000)
        #expect(response.trailers.last?.value == "1999")
    }
}
