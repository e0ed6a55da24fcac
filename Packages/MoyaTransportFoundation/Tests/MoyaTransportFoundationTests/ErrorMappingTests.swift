import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ErrorMappingTests {
    @Test(
        arguments: [
            (
                URLError.Code.unsupportedURL, "Received HTTP/0.9 when not allowed",
                .badServerResponse
            ),
            (.unknown, "Connection died, tried 5 times before giving up", .networkConnectionLost),
            (
                .unknown, "SSL certificate problem: certificate has expired",
                .serverCertificateHasBadDate
            ),
            (
                .unknown, "SSL certificate problem: self-signed certificate",
                .serverCertificateHasUnknownRoot
            ),
            (
                .unknown,
                "HTTP/2 stream 1 was not closed cleanly before end of the underlying stream",
                .networkConnectionLost
            ),
            (
                .unknown, "SSL certificate problem: certificate is not yet valid",
                .serverCertificateNotYetValid
            ),
            (
                .unknown, "SSL certificate problem: invalid CA certificate",
                .serverCertificateUntrusted
            ),
            (
                .unknown,
                "SSL: no alternative certificate subject name matches target host name 'localhost'",
                .serverCertificateUntrusted
            ),
            (.unknown, "TLS connect error: SSL alert", .secureConnectionFailed),
            (
                .unknown,
                "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
                .networkConnectionLost
            ),
            (.unknown, "OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104", .networkConnectionLost),
            (.unknown, "SSL_write() returned SYSCALL, errno = 32", .networkConnectionLost),
            (
                .unknown,
                "TLS connect error: error:0A000126:SSL routines::unexpected eof while reading",
                .secureConnectionFailed
            ),
            (
                .unknown, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a.test:443",
                .secureConnectionFailed
            ),
            (.unknown, "Unrecognized content encoding type", .cannotDecodeContentData),
            (.unknown, "CONNECT tunnel failed, response 403", .cannotConnectToHost),
            (.unknown, "Proxy CONNECT aborted", .networkConnectionLost),
            (.unknown, "Proxy CONNECT aborted due to timeout", .timedOut),
            (.unknown, "Can't complete SOCKS5 connection to a.test. (2)", .cannotConnectToHost),
            (.unknown, "User was rejected by the SOCKS5 server (1 1).", .cannotConnectToHost),
            (.unknown, "No authentication method was acceptable.", .cannotConnectToHost),
            (.unknown, "connection to proxy closed", .cannotConnectToHost),
            (
                .unknown,
                "SSL: no alternative certificate subject name matches target host name 'SOCKS5.test'",
                .serverCertificateUntrusted
            ),
            (.unknown, "what nobody has heard of", .unknown),
            (.cannotFindHost, "whatever it says", .cannotFindHost),
        ] as [(URLError.Code, String, URLError.Code)])
    func `libcurl's message refines the code of a session's error`(
        code: URLError.Code, message: String, expected: URLError.Code
    ) {
        let session = URLError(code, userInfo: [NSLocalizedDescriptionKey: message])
        let error = URLError(session: session, url: nil)
        #expect(error.code == expected)
        #expect(error.localizedDescription == message)
    }

    @Test func `a PUT on a dead reused connection is sent again`() async throws {
        let server = try MockServer { request in
            if request.method == "GET" { return .text("alive") }
            return request.connectionID == 1 ? .silence(then: .close) : .text("again")
        }
        defer { server.stop() }
        let transport = FoundationTransport()
        let get = TransportRequest(URLRequest(url: server.url))
        _ = try await transport.send(get)
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        let body = Data(repeating: 7, count: 200_000)
        let response = try await transport.send(TransportRequest(request, body: .data(body)))
        guard case .data(Data("again".utf8)) = response.body else {
            Issue.record("The body is another: \(response.body)")
            return
        }
        #expect(server.requests.map { $0.connectionID == 1 } == [true, true, false])
        #expect(server.requests.last?.body == body)
    }

    @Test func `URLSession sends a POST on a dead reused connection once`() async throws {
        let server = try MockServer { request in
            if request.method == "GET" { return .text("alive") }
            return request.connectionID == 1 ? .silence(then: .close) : .text("again")
        }
        defer { server.stop() }
        let transport = FoundationTransport()
        _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        let post = TransportRequest(request, body: .data(Data(repeating: 7, count: 200_000)))
        let error = await #expect(throws: URLError.self) { try await transport.send(post) }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test
    func `a POST that receives no response on any connection fails at once as a lost connection`()
        async throws
    {
        let server = try MockServer { request in
            request.method == "GET" ? .text("alive") : .silence(then: .close)
        }
        defer { server.stop() }
        let transport = FoundationTransport()
        _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.timeoutInterval = 120
        let post = TransportRequest(request, body: .data(Data(repeating: 7, count: 200_000)))
        let error = await #expect(throws: URLError.self) { try await transport.send(post) }
        #expect(error?.code == .networkConnectionLost)
    }
}
