import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses with wrong or conflicting lengths (RFC 9112, section 6).
@Suite(.timeLimit(.minutes(3))) struct BodyFramingTests {
    @Test func `chunked framing takes precedence over Content-Length`() async throws {
        let server = try serve(
            "HTTP/1.1 200 OK\r\nContent-Length: 40\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nhi\r\n0\r\n\r\n")
        defer { server.stop() }
        #expect(try await send(to: server).body.bytes() == Data("hi".utf8))
    }

    @Test(arguments: [
        "Content-Length: 2\r\nContent-Length: 5", "content-length: 5\r\nX: y\r\nContent-LENGTH: 2",
        "Content-Length: 2, 5", "Content-Length: -2", "Content-Length: +2", "Content-Length: 2x",
        "Content-Length: 0x2", "Content-Length: 2 2", "Content-Length:", "Content-Length: 2,",
        "Content-Length: 9223372036854775808", "Content-Length: 99999999999999999999999",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
    ])
    func `conflicting or invalid Content-Length fields are an error`(fields: String) async throws {
        for status in ["200 OK", "404 Not Found"] {
            let server = try serve("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\nhello")
            defer { server.stop() }
            for destination in [ResponseDestination.memory(), .stream] {
                let request = TransportRequest(
                    URLRequest(url: server.url), destination: destination)
                let error = await #expect(throws: URLError.self) {
                    try await CurlTransport().send(request)
                }
                #expect(error?.code == .badServerResponse)
                let text = error?.localizedDescription ?? ""
                #expect(text.contains("no length"), "\(text)")
            }
        }
    }

    @Test(arguments: [
        "Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2, 2", "Content-Length:\t02 ",
    ])
    func `equal repeated Content-Length values are accepted`(fields: String) async throws {
        let server = try serve("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhi")
        defer { server.stop() }
        #expect(try await send(to: server).body.bytes() == Data("hi".utf8))
    }

    @Test(arguments: [("HEAD", "200 OK"), ("GET", "304 Not Modified"), ("GET", "204 No Content")])
    func `conflicting lengths of a response without a body are ignored`(
        method: String, status: String
    )
        async throws
    {
        let server = try serve(
            "HTTP/1.1 103 Early Hints\r\nContent-Length: x\r\n\r\n"
                + "HTTP/1.1 \(status)\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n")
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        let response = try await CurlTransport().send(TransportRequest(request))
        #expect(status.hasPrefix("\(response.head.statusCode)"))
    }

    /// RFC 9112, section 5.1.
    @Test(arguments: [
        "Transfer-Encoding : chunked", "transfer-encoding\t: chunked", "Content-Length : 3",
        "Content-Length \t: 3", "Content-Length: 3\r\ncontent-length : 3",
    ])
    func `a framing field with white space before its colon is an error`(field: String)
        async throws
    {
        let server = try serve(
            "HTTP/1.1 200 OK\r\n\(field)\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
    }

    /// RFC 9112, section 6.1.
    @Test(arguments: [
        "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked,identity ,Chunked",
        "Transfer-Encoding: chunked\r\ntransfer-encoding: chunked",
    ])
    func `a response with the chunked coding applied twice is an error`(fields: String)
        async throws
    {
        let server = try serve(
            "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
    }
}
