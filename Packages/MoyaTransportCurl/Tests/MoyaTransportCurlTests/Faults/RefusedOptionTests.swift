import CMoyaCurl
import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests for which libcurl refuses an option, as it does for want of memory.
@Suite struct RefusedOptionTests {
    /// Every option of libcurl.
    private static var allOptions: [CURLoption] {
        var options: [CURLoption] = []
        var current = curl_easy_option_next(nil)
        while let option = current?.pointee {
            // Some options have an alias.
            if option.flags & UInt32(CURLOT_FLAG_ALIAS) == 0 { options.append(option.id) }
            current = curl_easy_option_next(current)
        }
        return options
    }

    /// Sends the request once for each option of libcurl, which is refused. Returns the options
    /// that made it fail.
    private func refused(
        _ request: TransportRequest,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws -> Set<UInt32> {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        change(&configuration)
        var refused: Set<UInt32> = []
        for option in Self.allOptions {
            let transport = try CurlTransport(
                configuration: configuration, options: RefusedOption(option))
            do {
                _ = try await transport.send(request)
            } catch let error as URLError {
                let cause = error.userInfo[NSUnderlyingErrorKey] as? CurlError
                guard cause?.message == "libcurl refused option \(option.rawValue)" else {
                    continue
                }
                #expect(cause?.code == Int(CURLE_OUT_OF_MEMORY.rawValue))
                refused.insert(option.rawValue)
            }
        }
        return refused
    }

    /// A readable file that looks like a certificate, which is checked before libcurl opens it.
    private func makeFile() throws -> URL {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("refused-\(UUID().uuidString)")
        try Data("-----BEGIN CERTIFICATE-----".utf8).write(to: file)
        return file
    }

    private func expect(_ refused: Set<UInt32>, contains options: [CURLoption]) {
        for option in options { #expect(refused.contains(option.rawValue), "\(option.rawValue)") }
    }

    @Test func `a plain request fails with each refused easy-handle option and is not sent`()
        async throws
    {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        var urlRequest = URLRequest(url: server.url)
        urlRequest.httpMethod = "POST"
        var request = TransportRequest(urlRequest, body: .data(Data("hello".utf8)))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        // libcurl gets the credential for Negotiate alone.
        let negotiates = CurlLibrary.hasNegotiate
        let refused = try await refused(request) {
            if negotiates { $0.authentication = .negotiate }
        }
        #expect(refused.count >= 34)
        let sent = Self.allOptions.filter { !refused.contains($0.rawValue) }
        #expect(server.requests.count == sent.count)
        expect(
            refused,
            contains: [
                CURLOPT_URL, CURLOPT_HTTPHEADER, CURLOPT_POSTFIELDSIZE_LARGE,
                moya_protocols_option(),
                CURLOPT_OPENSOCKETFUNCTION, CURLOPT_CLOSESOCKETFUNCTION, CURLOPT_TCP_KEEPIDLE,
                CURLOPT_READFUNCTION, CURLOPT_SEEKFUNCTION, CURLOPT_PREREQFUNCTION, CURLOPT_PROXY,
                CURLOPT_WRITEFUNCTION,
            ])
        if negotiates { expect(refused, contains: [CURLOPT_USERNAME, CURLOPT_HTTPAUTH]) }
    }

    @Test
    func `a TLS request with evaluator and client certificate fails with each refused option`()
        async throws
    {
        var urlRequest = URLRequest(url: try #require(URL(string: "https://127.0.0.1:1/")))
        urlRequest.setValue("a=1", forHTTPHeaderField: "Cookie")
        let request = TransportRequest(urlRequest)
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let proxy = try #require(URL(string: "https://127.0.0.1:1"))
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: [])
        let refused = try await refused(request) {
            $0.cookies = .memory
            $0.keepAlive = .init(idle: 10, interval: 10)
            $0.network.happyEyeballsTimeout = 1
            $0.tls.trust = .file(file)
            $0.tls.identity = .pem(certificate: file, key: file, password: "moya")
            $0.tls.serverTrustManager = ServerTrustManager(evaluators: ["127.0.0.1": evaluator])
            $0.tls.cipherSuites = "ALL"
            $0.tls.tls13CipherSuites = "TLS_AES_128_GCM_SHA256"
            $0.proxy = .url(proxy)
        }
        expect(
            refused,
            contains: [
                CURLOPT_COOKIE, CURLOPT_TCP_KEEPALIVE, CURLOPT_TCP_KEEPIDLE, CURLOPT_TCP_KEEPINTVL,
                CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, CURLOPT_CAINFO, CURLOPT_SSLCERT,
                CURLOPT_SSLKEY, CURLOPT_KEYPASSWD, CURLOPT_CERTINFO, CURLOPT_SSL_SESSIONID_CACHE,
                CURLOPT_PREREQFUNCTION, CURLOPT_PROXY_CAINFO,
                CURLOPT_PROXY_CAPATH, CURLOPT_PROXY_SSLVERSION, CURLOPT_PROXY_SSL_CIPHER_LIST,
                CURLOPT_PROXY_TLS13_CIPHERS,
            ])
    }

    @Test func `a TLS request without verification fails with each refused option`() async throws {
        let request = TransportRequest(
            URLRequest(url: try #require(URL(string: "https://127.0.0.1:1/"))))
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let refused = try await refused(request) {
            $0.tls.identity = .pkcs12(file, password: "moya")
            $0.tls.dangerouslyUnverifiedHosts = ["127.0.0.1"]
        }
        expect(
            refused,
            contains: [
                CURLOPT_SSLCERTTYPE, CURLOPT_SSLCERT, CURLOPT_KEYPASSWD, CURLOPT_SSL_VERIFYPEER,
                CURLOPT_SSL_VERIFYHOST,
            ])
    }

    @Test func `a TLS request with an in-memory client certificate fails with each refused option`()
        async throws
    {
        let request = TransportRequest(
            URLRequest(url: try #require(URL(string: "https://127.0.0.1:1/"))))
        let refused = try await refused(request) {
            $0.tls.identity = .pem(
                certificate: Data("-----BEGIN CERTIFICATE-----".utf8),
                key: Data("-----BEGIN PRIVATE KEY-----".utf8))
        }
        expect(
            refused, contains: [CURLOPT_SSLCERT_BLOB, CURLOPT_SSLKEY_BLOB, CURLOPT_KEYPASSWD])
    }

    @Test(
        arguments: [
            CURLMOPT_SOCKETDATA, CURLMOPT_SOCKETFUNCTION, CURLMOPT_TIMERDATA,
            CURLMOPT_TIMERFUNCTION,
            CURLMOPT_MAX_HOST_CONNECTIONS, CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_PIPELINING,
            CURLMOPT_MAXCONNECTS,
        ].map(\.rawValue))
    func `a request fails where the multi handle refuses an option`(
        option: UInt32
    ) async throws {
        let server = try MockServer { _ in .text("x") }
        defer { server.stop() }
        let transport = try CurlTransport(
            configuration: CurlTransport.Configuration(),
            options: RefusedOption(CURLMoption(option)))
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(URLRequest(url: server.url)))
            }
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? CurlError
            #expect(cause?.code == Int(CURLE_OUT_OF_MEMORY.rawValue))
        }
        #expect(server.connectionCount == 0)
    }

    @Test(
        .requires(.nginx, .openssl)
    ) func `a refused connection is closed where libcurl cannot forbid its reuse`() async throws {
        let nginx = try await Nginx(.valid)
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.tls.trust = .file(nginx.authority)
        configuration.tls.serverTrustManager = ServerTrustManager(evaluators: [
            "127.0.0.1": PinnedCertificatesTrustEvaluator(certificates: [])
        ])
        let transport = try CurlTransport(
            configuration: configuration, options: RefusedOption(CURLOPT_FORBID_REUSE))
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(URLRequest(url: nginx.url)))
            }
            #expect(error?.code == .serverCertificateUntrusted)
        }
        #expect(try await transport.firstLoop().perform { $0.multi.closedCount } == 2)
        #expect(try nginx.requestCount == 0)
    }

    @Test func `a request with most settings fails with each refused option`() async throws {
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let proxy = try #require(URL(string: "http://127.0.0.1:1"))
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = "PUT"
        var stream = RequestBodyStream {
            AsyncThrowingStream<Data, any Error> { $0.finish() }
        }
        stream.trailers = { [] }
        let folder = try TemporaryFolder()
        let file = folder.file()
        let request = TransportRequest(
            urlRequest, body: .stream(stream), destination: .file(file))
        let pin = Data(repeating: 1, count: 32).base64EncodedString()
        let refused = try await refused(request) {
            $0.httpVersion = .http1
            $0.maxIdleConnections = 0
            $0.minimumSpeed = .init(bytesPerSecond: 1, duration: 1)
            $0.cookies = .memory
            $0.proxy = .url(proxy, user: "u", password: "p", excluding: ["example.test"])
            $0.network.interface = "127.0.0.1"
            $0.network.ipVersion = .v4
            $0.network.hostOverrides = [.init(host: "a.test", port: 1, addresses: ["127.0.0.1"])]
            $0.tls.trust = .data(Data("-----BEGIN CERTIFICATE-----".utf8))
            $0.tls.cipherSuites = "ALL"
            $0.tls.tls13CipherSuites = "TLS_AES_128_GCM_SHA256"
            $0.tls.requiresStapledStatus = true
            $0.tls.pinnedKeys = ["127.0.0.1": [pin]]
        }
        expect(
            refused,
            contains: [
                CURLOPT_FORBID_REUSE, CURLOPT_LOW_SPEED_LIMIT, CURLOPT_LOW_SPEED_TIME,
                CURLOPT_SHARE, CURLOPT_COOKIEFILE, CURLOPT_PROXY, CURLOPT_PROXYUSERNAME,
                CURLOPT_PROXYPASSWORD, CURLOPT_PROXYAUTH, CURLOPT_NOPROXY, CURLOPT_INTERFACE,
                CURLOPT_IPRESOLVE, CURLOPT_RESOLVE,
                CURLOPT_SSLVERSION, CURLOPT_CAINFO_BLOB, CURLOPT_CAPATH, CURLOPT_SSL_CIPHER_LIST,
                CURLOPT_TLS13_CIPHERS, CURLOPT_SSL_VERIFYSTATUS, CURLOPT_PINNEDPUBLICKEY,
                CURLOPT_TRAILERFUNCTION, CURLOPT_BUFFERSIZE,
            ])
    }

    @Test
    func `a request that bypasses the system's name resolution fails with each refused option`()
        async throws
    {
        let url = try #require(URL(string: "http://a.test/"))
        let resolver = try #require(URL(string: "https://127.0.0.1:1/dns-query"))
        let refused = try await refused(TransportRequest(URLRequest(url: url))) {
            $0.network.dnsOverHTTPS = resolver
            $0.network.unixSocket = URL(fileURLWithPath: "/nonexistent.socket")
        }
        expect(refused, contains: [CURLOPT_DOH_URL, CURLOPT_UNIX_SOCKET_PATH])
    }
}

/// Refuses one option, as libcurl does for want of memory.
private final class RefusedOption: OptionCheck, @unchecked Sendable {
    private let easy: CURLoption?
    private let multi: CURLMoption?

    init(_ option: CURLoption) { (easy, multi) = (option, nil) }
    init(_ option: CURLMoption) { (easy, multi) = (nil, option) }

    override func check(_ option: CURLoption, _ code: CURLcode) throws(CurlError) {
        let isRefused = option == easy && code == CURLE_OK
        try super.check(option, isRefused ? CURLE_OUT_OF_MEMORY : code)
    }

    override func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        let isRefused = option == multi && code == CURLM_OK
        try super.check(option, isRefused ? CURLM_OUT_OF_MEMORY : code)
    }
}
