import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses to `Expect: 100-continue` (RFC 9110, section 10.1.1) as streams.
@Suite(.timeLimit(.minutes(3))) struct ExpectationTests {
    /// Sends "hello" after a 100 Continue, or after `timeout` seconds. Returns the status and body.
    private func put(
        to server: RawServer, sendingAfter timeout: TimeInterval
    ) async throws -> (Int, String) {
        var configuration = CurlTransport.Configuration()
        configuration.expectContinueTimeout = timeout
        var request = URLRequest.patient(server.url)
        request.httpMethod = "PUT"
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        let response = try await CurlTransport(configuration: configuration).send(
            TransportRequest(
                request, body: .data(Data("hello".utf8)), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let body = try await stream.collect(upTo: 100)
        return (response.head.statusCode, String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: ["", "not asked"])
    func `after a 417 the request is repeated, and the second response is returned`(
        refusal: String
    ) async throws {
        let heads = Counter()
        let server = try RawServer { connection in
            var received = connection.read(until: "\r\n\r\n")
            if heads.next() == 1 {
                connection.write(
                    "HTTP/1.1 417 Expectation Failed\r\nContent-Length: \(refusal.utf8.count)\r\n\r\n"
                        + refusal)
                // Or on another connection, if libcurl has closed this one.
                received = connection.read(until: "\r\n\r\n")
            }
            let head = String(decoding: received, as: UTF8.self)
            // libcurl repeats the field if the caller has set it.
            if head.contains("Expect:") { connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
            if !head.hasSuffix("hello") { _ = connection.read(until: "hello") }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone")
        }
        defer { server.stop() }
        #expect(try await put(to: server, sendingAfter: 600) == (200, "done"))
    }

    @Test(arguments: ["", "too late"])
    func `a 417 after the request body is the response`(refusal: String) async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "hello")
            connection.write(
                "HTTP/1.1 417 Expectation Failed\r\nContent-Length: \(refusal.utf8.count)\r\n\r\n"
                    + refusal)
            connection.waitForClient()
        }
        defer { server.stop() }
        #expect(try await put(to: server, sendingAfter: 0) == (417, refusal))
    }
}
