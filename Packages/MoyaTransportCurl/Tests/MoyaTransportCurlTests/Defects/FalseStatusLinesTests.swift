import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fields that look like a status line.
@Suite struct FalseStatusLinesTests {
    private func answer(
        _ text: String,
        authentication: CurlTransport.Configuration.Authentication = [.basic, .digest]
    ) async throws -> TransportResponse {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(text)
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.authentication = authentication
        return try await CurlTransport(configuration: configuration)
            .send(TransportRequest(URLRequest(url: server.url)))
    }

    @Test func `A header field that looks like a status line does not end the head`() async throws {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nX-First: 1\r\nHTTP/1.1: 204 No\r\nX-Last: 2\r\n"
                + "Content-Length: 2\r\n\r\nhi")
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "X-First") == "1")
        #expect(response.head.value(for: "X-Last") == "2")
    }

    @Test func `A trailer field that looks like a status line does not begin a new head`()
        async throws
    {
        for body in ["2\r\nhi\r\n", ""] {
            let response = try await answer(
                "HTTP/1.1 200 OK\r\nX-First: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + body + "0\r\nHTTP/1.1: 204\r\nX-Late: 1\r\n\r\n")
            #expect(response.head.statusCode == 200)
            #expect(response.head.value(for: "X-First") == "1")
            #expect(response.head.value(for: "X-Late") == nil)
            #expect(response.trailers.map(\.name) == ["HTTP/1.1", "X-Late"])
        }
    }

    @Test(.requires(.gssapi))
    func `A trailer line that is a status line begins no new head without a credential`()
        async throws
    {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nX-First: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "0\r\nHTTP/1.1 204 : x\r\nX-Late: 1\r\n\r\n",
            authentication: [.basic, .negotiate])
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "X-First") == "1")
        #expect(response.head.value(for: "X-Late") == nil)
    }
}
