import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A POST on a kept HTTP/2 connection whose server closes it, refuses the request, or fails.
@Suite(.timeLimit(.minutes(3)), .requires(.libcurlWithOpenSSL, .python("ssl")))
struct ClosedConnectionsTests {
    private func post(to server: PythonHTTP2Server, over transport: CurlTransport) async throws
        -> TransportResponse
    {
        var request = URLRequest.patient(server.url)
        request.httpMethod = "POST"
        return try await transport.send(
            TransportRequest(request, body: .data(Data("x".utf8))))
    }

    /// A request that was not written may be sent on another connection.
    @Test
    func
        `a POST is sent on another connection if the server has closed the kept one without a GOAWAY`()
        async throws
    {
        let server = try await PythonHTTP2Server("accept", "answer", "end", "accept", "answer")
        let transport = try server.transport()
        #expect(try await post(to: server, over: transport).head.statusCode == 200)
        try await server.proceed()
        #expect(try await post(to: server, over: transport).head.statusCode == 200)
    }

    /// RFC 9113, section 8.7.
    @Test func `a POST that a GOAWAY excludes on a kept connection is sent again`() async throws {
        let server = try await PythonHTTP2Server("accept", "answer", "leave", "accept", "answer")
        let transport = try server.transport()
        _ = try await post(to: server, over: transport)
        #expect(try await post(to: server, over: transport).head.statusCode == 200)
    }

    /// libcurl reports it like the loss of the connection. docs/LibcurlDefects.md lists this
    /// exception.
    @Test func `a POST that REFUSED_STREAM refuses on a kept connection is not sent again`()
        async throws
    {
        let server = try await PythonHTTP2Server("accept", "answer", "refuse", "accept", "answer")
        let transport = try server.transport()
        _ = try await post(to: server, over: transport)
        let error = await #expect(throws: URLError.self) {
            try await post(to: server, over: transport)
        }
        #expect(error?.localizedDescription.contains("may have processed") == true)
    }

    /// RFC 9110, section 9.2.2: the server may have processed the request.
    @Test(arguments: ["drop", "garble"])
    func `a POST is not sent again if a kept connection fails after it`(failure: String)
        async throws
    {
        let server = try await PythonHTTP2Server("accept", "answer", failure, "accept", "answer")
        let transport = try server.transport()
        _ = try await post(to: server, over: transport)
        let error = await #expect(throws: URLError.self) {
            try await post(to: server, over: transport)
        }
        #expect(error?.code == .networkConnectionLost)
    }
}
