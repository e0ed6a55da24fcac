import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct FramingTests {
    static let bodies: [RequestBody] = [
        .none, .data(Data("four".utf8)),
        .stream(
            RequestBodyStream {
                AsyncStream<Data> { continuation in
                    continuation.yield(Data("four".utf8))
                    continuation.finish()
                }
            }),
    ]

    @Test(
        arguments: ["GET", "PUT"],
        [("Content-Length", "2"), ("content-length", "9"), ("Transfer-Encoding", "chunked")])
    func `the caller's length and encoding fields cannot change a message's framing`(
        method: String, field: (name: String, value: String)
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport = FoundationTransport()
        for body in Self.bodies where method != "GET" || body.isNone {
            var request = URLRequest(url: server.url.appendingPathComponent("anything"))
            request.httpMethod = method
            request.setValue(field.value, forHTTPHeaderField: field.name)
            let response = try await transport.send(TransportRequest(request, body: body))
            #expect(response.head.statusCode == 200)
            // The connection is reused: surplus bytes would be parsed as a request.
            let sent = try #require(server.requests.last)
            #expect(sent.method == method)
            #expect(sent.body == (body.isNone ? Data() : Data("four".utf8)))
            #expect(sent.value(for: "Transfer-Encoding") == nil)
        }
    }
}

extension RequestBody {
    fileprivate var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
