import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Challenges to requests with a body.
@Suite(.timeLimit(.minutes(3))) struct UploadChallengeTests {
    private static let body = Data(repeating: UInt8(ascii: "b"), count: 300_000)

    private func post(
        _ url: URL, _ body: RequestBody = .data(body), password: String = "secret",
        over transport: CurlTransport
    ) async throws -> TransportResponse {
        var urlRequest = URLRequest.patient(url)
        urlRequest.httpMethod = "POST"
        return try await transport.send(
            TransportRequest(
                urlRequest, body: body,
                credential: URLCredential(user: "ash", password: password, persistence: .none)))
    }

    /// The curl program 7.88.1 passes each of these with `--basic` or `--digest`.
    @Test(
        .requires(.openssl, .apache("http2", "ssl", "proxy_http", "auth_basic", "auth_digest")),
        arguments: ["basic", "digest", "open"])
    func `a large body passes the challenge of an HTTP/2 server`(folder: String) async throws {
        let apache = try await GuardedApache()
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(apache.authority)
        let transport = try CurlTransport(configuration: configuration)
        for _ in 1...3 {
            let url = apache.url.appendingPathComponent("\(folder)/x")
            let response = try await post(url, over: transport)
            #expect(response.head.statusCode == 200)
            #expect(try response.text == "\(Self.body.count)")
        }
        let wrong = try await post(
            apache.url.appendingPathComponent("basic/x"), password: "guess", over: transport)
        #expect(wrong.head.statusCode == 401)
    }

    /// Once a server is known to require Basic, or nothing, requests may use HTTP/2.
    @Test(
        .requires(.openssl, .apache("http2", "ssl", "proxy_http", "auth_basic", "auth_digest")),
        arguments: ["basic", "open"])
    func `a request with a body uses HTTP/2 where the server's requirement is known`(
        folder: String
    ) async throws {
        let apache = try await GuardedApache()
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(apache.authority)
        let transport = try CurlTransport(configuration: configuration)
        let url = apache.url.appendingPathComponent("\(folder)/x")
        var protocols: [String?] = []
        for _ in 1...2 {
            protocols.append(try await post(url, over: transport).metrics.protocolName)
            await transport.closeIdleConnections()
        }
        let first = ResetAnswers.areLost ? "http/1.1" : "h2"
        #expect(protocols == [first, "h2"])
    }

    /// RFC 9110, section 10.1.1. The server challenges a request without a credential before its
    /// body, and never reads it.
    @Test func `no byte of a body is sent before a challenge`() async throws {
        let earlyCount = Locked(0)
        let server = try RawServer { connection in
            let received = connection.read(until: "\r\n\r\n")
            let head = String(decoding: received, as: UTF8.self)
            guard head.contains("Authorization: Basic") else {
                connection.write(
                    "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
                        + "Content-Length: 0\r\n\r\n")
                let end = received.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? 0
                let count = received.count - end + connection.read().count
                return earlyCount.withLock { $0 += count }
            }
            if head.contains("Expect:") { connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
            if !head.hasSuffix("bend") { _ = connection.read(until: "bend") }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Self.body)
            continuation.yield(Data("end".utf8))
            continuation.finish()
        }
        for body in [
            RequestBody.data(Self.body + Data("end".utf8)),
            .stream(RequestBodyStream(length: 300_003, once: pieces)),
        ] {
            let response = try await post(server.url, body, over: CurlTransport())
            #expect(response.head.statusCode == 200)
        }
        #expect(earlyCount.withLock { $0 } == 0)
    }

    @Test func `a server that responds only after the body gets it after the timeout`()
        async throws
    {
        let server = try RawServer { connection in
            _ = connection.read(until: "bend")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.expectContinueTimeout = 0.1
        let transport = try CurlTransport(configuration: configuration)
        let body = RequestBody.data(Self.body + Data("end".utf8))
        #expect(try await post(server.url, body, over: transport).head.statusCode == 200)
    }
}

/// An Apache with HTTP/2 over TLS on 127.0.0.1 that returns the length of the request's body: below
/// `basic` and `digest` to the user `ash` with the password `secret`, below `open` to all.
private final class GuardedApache: Sendable {
    let url: URL
    let authority: URL
    private let folder: TemporaryFolder
    private let server: MockServer
    private let apache: Apache

    init() async throws {
        server = try MockServer { .text("\($0.body.count)") }
        folder = try TemporaryFolder()
        authority = folder.file("ca.pem")
        try await TestCertificates.make(.valid, in: folder.url)
        // SHA-1 of the password in Base64, and MD5 of `ash:r:secret`.
        let basic = try folder.file(
            "basic", Data("ash:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n".utf8))
        let digest = try folder.file(
            "digest", Data("ash:r:5c2d2cab003d7eb66b62ffb287624227\n".utf8))
        apache = try await Apache(
            in: folder.url,
            loading: [
                "ssl", "http2", "proxy", "proxy_http", "authn_core", "authn_file", "authz_user",
                "auth_basic", "auth_digest",
            ],
            """
            Protocols h2 http/1.1
            SSLEngine On
            SSLCertificateFile \(folder.url.path)/server.pem
            SSLCertificateKeyFile \(folder.url.path)/server.key
            ProxyPass / http://127.0.0.1:\(server.port)/
            <Location /basic>
                AuthType Basic
                AuthName r
                AuthUserFile \(basic.path)
                Require valid-user
            </Location>
            <Location /digest>
                AuthType Digest
                AuthName r
                AuthUserFile \(digest.path)
                Require valid-user
            </Location>
            """)
        url = try #require(URL(string: "https://127.0.0.1:\(apache.port)"))
    }
}
