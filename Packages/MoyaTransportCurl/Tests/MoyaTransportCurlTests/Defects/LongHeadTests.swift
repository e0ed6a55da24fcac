import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests whose head does not fit into libcurl's or nghttp2's buffers, over TLS.
@Suite(.requires(.nginx, .openssl)) struct LongHeadTests {
    // nginx returns the number of bytes that have arrived.
    @Test(arguments: [true, false], [50, 100, 200, 900])
    func `Request fields of any number of KiB below 1 MiB are sent over TLS`(
        speaksHTTP2: Bool, kilobytes: Int
    ) async throws {
        let nginx = try await Nginx(.init(speaksHTTP2: speaksHTTP2, headBuffers: "16 512k"))
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest(url: nginx.url.appendingPathComponent("length"))
        for number in 0..<kilobytes {
            let value = String(repeating: "a", count: 1000)
            request.setValue(value, forHTTPHeaderField: "X-Field-\(number)")
        }
        // With a body, too: libcurl reads it after it has sent the head.
        for body in [RequestBody.none, .data(Data(repeating: 7, count: 300_000))] {
            request.httpMethod = if case .none = body { "GET" } else { "POST" }
            let response = try await transport.send(TransportRequest(request, body: body))
            #expect(response.head.statusCode == 200)
            guard case .data(let data) = response.body else { continue }
            let length = try #require(Int(String(decoding: data, as: UTF8.self)))
            #expect(length > kilobytes * 1000)
        }
        // The next request may use the connection, with the usual buffer.
        let short = URLRequest(url: nginx.url)
        #expect(try await transport.send(TransportRequest(short)).head.statusCode == 200)
    }
}
