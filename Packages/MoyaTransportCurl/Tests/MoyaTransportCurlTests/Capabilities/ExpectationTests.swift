import Foundation
import MoyaCore
import MoyaInternals
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

    /// RFC 9110, section 10.1.1.
    @Test(arguments: ["", "not asked"])
    func `after a 417 the request is sent once more without Expect`(
        refusal: String
    ) async throws {
        let heads = Locked<[String]>([])
        let server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            heads.withLock { $0.append(head) }
            guard !head.contains("Expect:") else {
                connection.write(
                    "HTTP/1.1 417 Expectation Failed\r\nContent-Length: \(refusal.utf8.count)\r\n\r\n"
                        + refusal)
                return connection.waitForClient()
            }
            if !head.hasSuffix("hello") { _ = connection.read(until: "hello") }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone")
        }
        defer { server.stop() }
        #expect(try await put(to: server, sendingAfter: 600) == (200, "done"))
        #expect(heads.withLock { $0.count } == 2)
    }

    /// The transport has set the field, because of the credential.
    @Test func `a body that can be sent once is sent after a 417 to a request with a credential`()
        async throws
    {
        let server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            guard !head.contains("Expect:") else {
                connection.write("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
                return connection.waitForClient()
            }
            if !head.hasSuffix("hello") { _ = connection.read(until: "hello") }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        var urlRequest = URLRequest.patient(server.url)
        urlRequest.httpMethod = "PUT"
        let pieces = AsyncStream { pieces in
            pieces.yield(Data("hello".utf8))
            pieces.finish()
        }
        var request = TransportRequest(
            urlRequest, body: .stream(RequestBodyStream(length: 5, once: pieces)))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        var configuration = CurlTransport.Configuration()
        configuration.expectContinueTimeout = 600
        let response = try await CurlTransport(configuration: configuration).send(request)
        #expect(response.head.statusCode == 200)
    }

    @Test(arguments: ["", "too late"])
    func `a second 417 is the response`(refusal: String) async throws {
        let requests = Counter()
        let server = try RawServer { connection in
            _ = connection.read(until: "hello")
            requests.next()
            connection.write(
                "HTTP/1.1 417 Expectation Failed\r\nContent-Length: \(refusal.utf8.count)\r\n\r\n"
                    + refusal)
            connection.waitForClient()
        }
        defer { server.stop() }
        #expect(try await put(to: server, sendingAfter: 0) == (417, refusal))
        #expect(requests.count == 2)
    }
}
