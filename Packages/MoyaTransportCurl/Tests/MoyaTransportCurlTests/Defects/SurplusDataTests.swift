import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bytes that arrive together with the end of a response.
@Suite struct SurplusDataTests {
    /// Expects that a connection is not reused if a byte follows `answer` in the same write.
    private func expectEnd(ofConnectionBehind answer: String, method: String = "GET") async throws {
        let connections = Counter()
        let server = try RawServer { connection in
            connections.next()
            // The first response on each connection is valid.
            var surplus = ""
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write("HTTP/1.1 \(answer)\r\n\r\n\(surplus)")
                surplus = "x"
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        var counts: [Int] = []
        for _ in 0..<6 {
            _ = try await transport.send(TransportRequest(request))
            counts.append(connections.count)
        }
        #expect(counts == [1, 1, 2, 2, 3, 3])
    }

    // docs/LibcurlDefects.md lists the versions that these tests skip.
    @Test(
        .requires(.surplusSeen),
        arguments: [
            ("GET", "200 OK\r\nContent-Length: 0"), ("GET", "204 No Content"),
            ("GET", "304 Not Modified"), ("HEAD", "200 OK\r\nContent-Length: 60"),
            ("POST", "205 Reset Content\r\nContent-Length: 0"),
            ("GET", "103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0"),
        ])
    func `a connection with bytes after a response without a body is not reused`(
        method: String, head: String
    ) async throws {
        try await expectEnd(ofConnectionBehind: head, method: method)
    }

    @Test(.requires(.chunksSeen))
    func `a connection with bytes after the last chunk of a body is not reused`()
        async throws
    {
        try await expectEnd(
            ofConnectionBehind:
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nA: b")
    }

    @Test(arguments: ["204 No Content", "200 OK\r\nContent-Length: 0"])
    func `a connection is reused after responses without a body`(head: String) async throws {
        let connections = Counter()
        let server = try RawServer { connection in
            connections.next()
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write("HTTP/1.1 \(head)\r\n\r\n")
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<5 {
            _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(connections.count == 1)
    }
}
