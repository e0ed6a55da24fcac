import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Boundaries of heads and bodies.
@Suite struct FramingTests {
    @Test func `A header field of white space only is sent as an empty field`() async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        var request = URLRequest(url: server.url)
        for (name, value) in ["Accept": " ", "X-Blank": " \t ", "X-Empty": ""] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        _ = try await CurlTransport().send(TransportRequest(request))
        for name in ["Accept", "X-Blank", "X-Empty"] {
            #expect(server.requests.first?.value(for: name) == "", "\(name)")
        }
    }

    @Test(arguments: ["GET", "POST"])
    func `A request's own Transfer-Encoding is not sent`(method: String) async throws {
        let server = try MockServer { .text(String(decoding: $0.body, as: UTF8.self)) }
        defer { server.stop() }
        let transport = CurlTransport()
        for encoding in ["chunked", "gzip, chunked"] {
            var urlRequest = URLRequest(url: server.url)
            urlRequest.httpMethod = method
            urlRequest.setValue(encoding, forHTTPHeaderField: "Transfer-Encoding")
            if method == "POST" { urlRequest.httpBody = Data("body".utf8) }
            let response = try await transport.send(TransportRequest(urlRequest))
            #expect(try response.text == (method == "POST" ? "body" : ""))
        }
        #expect(server.requests.allSatisfy { $0.value(for: "Transfer-Encoding") == nil })
    }

    @Test func `A streamed body sends Transfer-Encoding chunked exactly once`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        var urlRequest = URLRequest(url: server.url.appendingPathComponent("anything"))
        urlRequest.httpMethod = "POST"
        urlRequest.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
        let stream = RequestBodyStream {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("hi".utf8))
                continuation.finish()
            }
        }
        _ = try await CurlTransport().send(TransportRequest(urlRequest, body: .stream(stream)))
        let request = try #require(server.requests.first)
        #expect(
            request.headers.filter { $0.name.lowercased() == "transfer-encoding" }.map(\.value)
                == ["chunked"])
        #expect(request.body == Data("hi".utf8))
    }

    @Test func `A HEAD request with a body is refused, and with an empty body is sent`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        var urlRequest = URLRequest(url: server.url.appendingPathComponent("get"))
        urlRequest.httpMethod = "HEAD"
        let full = TransportRequest(urlRequest, body: .data(Data("x".utf8)))
        let error = await #expect(throws: URLError.self) { try await CurlTransport().send(full) }
        #expect(error?.code == .badURL)
        #expect(server.requests.isEmpty)
        let empty = TransportRequest(urlRequest, body: .data(Data()))
        #expect(try await CurlTransport().send(empty).head.statusCode == 200)
        #expect(server.requests.map(\.method) == ["HEAD"])
    }
}
