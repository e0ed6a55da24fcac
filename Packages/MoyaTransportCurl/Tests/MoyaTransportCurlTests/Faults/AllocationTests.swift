import CMoyaCurl
import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Older compilers cannot pass the port to the child process.
#if compiler(>=6.3)
    /// Failures of each allocation of libcurl, once with only that one and once with all later ones
    /// failing. In child processes, because the allocator is global.
    @Suite(.timeLimit(.minutes(3))) struct AllocationTests {
        private static let text = String(repeating: "All of it. ", count: 100)

        private static func makeServer() throws -> MockServer {
            try MockServer { request in
                request.method == "GET"
                    ? MockResponse.text(text).compressed(.gzip)
                    : MockResponse(body: .data(request.body))
            }
        }

        /// libcurl's error codes for a lack of memory. Some are reported for specific allocations.
        private static let reasons = [
            CURLE_OUT_OF_MEMORY,
            // For a lookup, a CURLOPT_RESOLVE entry, a decoder, and an HTTP/2 frame.
            CURLE_COULDNT_RESOLVE_HOST, CURLE_SETOPT_OPTION_SYNTAX, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP2, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
            // For the name of a certificate's issuer.
            CURLE_PEER_FAILED_VERIFICATION,
        ]

        @Test func `after an allocation failure the request completes or fails as out of memory`()
            async throws
        {
            let server = try Self.makeServer()
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                for request in try Self.beginScarcity(port) {
                    try await Self.exhaust(request, isWarm: false, Self.configuration())
                    try await Self.exhaust(request, isWarm: true, Self.configuration())
                }
            }
        }

        @Test
        func `after an allocation failure concurrent requests complete or fail as out of memory`()
            async throws
        {
            let server = try Self.makeServer()
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                for request in try Self.beginScarcity(port) {
                    try await Self.exhaust(
                        request, times: 8, step: 7, isWarm: false, Self.configuration())
                }
            }
        }

        /// Without session resumption: libcurl 7.88.1 frees a session's name twice when it has no
        /// memory to store the second session, also in a C program that only calls
        /// `curl_easy_perform` (`Curl_ssl_addsessionid`).
        @Test(
            .requires(.nginx, .openssl),
            arguments: [false, true])
        func `after an allocation failure a TLS request completes or fails as out of memory`(
            speaksHTTP2: Bool
        ) async throws {
            let server = try Self.makeServer()
            defer { server.stop() }
            var site = Nginx.Site()
            (site.tlsVersions, site.resumesSessions) = ("TLSv1.2", false)
            (site.portBehind, site.speaksHTTP2) = (server.port, speaksHTTP2)
            let nginx = try await Nginx(site)
            await #expect(processExitsWith: .success) {
                [
                    url = nginx.url.absoluteString as String,
                    authority = nginx.authority.path as String
                ] in
                Scarcity.install()
                let url = try #require(URL(string: url)).appendingPathComponent("behind")
                var configuration = Self.configuration()
                configuration.tls.trust = .file(URL(fileURLWithPath: authority))
                for request in Self.requests(url).prefix(2) {
                    try await Self.exhaust(request, isWarm: false, configuration)
                }
            }
        }

        @Test
        func `a transport that cannot allocate its resources fails the request and leaks nothing`()
            async throws
        {
            let server = try Self.makeServer()
            defer { server.stop() }
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                let request = try #require(Self.beginScarcity(port).first)
                _ = try await CurlTransport(configuration: Self.configuration()).send(request)
                var (number, isReached) = (0, true)
                while isReached {
                    let before = Scarcity.blocks
                    Scarcity.begin(number..<number + 1)
                    let transport = try CurlTransport(configuration: Self.configuration())
                    isReached = Scarcity.end() > number
                    let result = await Result.catching { try await transport.send(request) }
                    if isReached {
                        let error = try #require(throws: URLError.self) { try result.get() }
                        #expect(Self.reason(error) == Int(CURLE_OUT_OF_MEMORY.rawValue))
                    }
                    transport.shutdown()
                    try await until { Scarcity.blocks <= before }
                    number += 1
                }
                #expect(number > 5)
            }
        }

        private static func configuration() -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            configuration.threads = 1
            configuration.cookies = .memory
            configuration.network.hostOverrides = [
                .init(host: "a.test", port: 1, addresses: ["127.0.0.1"])
            ]
            return configuration
        }

        /// Replaces libcurl's allocator. Returns requests to a port of 127.0.0.1.
        private static func beginScarcity(_ port: Int) throws -> [TransportRequest] {
            Scarcity.install()
            return requests(try #require(URL(string: "http://127.0.0.1:\(port)/")))
        }

        private static func requests(_ url: URL) -> [TransportRequest] {
            var (put, post) = (URLRequest(url: url), URLRequest(url: url))
            (put.httpMethod, post.httpMethod) = ("PUT", "POST")
            let stream = RequestBodyStream(length: nil) {
                AsyncThrowingStream { continuation in
                    continuation.yield(Data(text.utf8))
                    continuation.finish()
                }
            }
            return [
                TransportRequest(URLRequest(url: url)),
                TransportRequest(put, body: .data(Data(text.utf8))),
                TransportRequest(post, body: .stream(stream)),
            ]
        }

        /// Sends `request` on a new transport for each allocation, which fails.
        private static func exhaust(
            _ request: TransportRequest, times: Int = 1, step: Int = 1, isWarm: Bool,
            _ configuration: CurlTransport.Configuration
        ) async throws {
            for isLasting in [false, true] {
                var (number, isReached) = (0, true)
                while isReached {
                    let before = Scarcity.blocks
                    let transport = try CurlTransport(configuration: configuration)
                    if isWarm { _ = try await transport.send(request) }
                    Scarcity.begin(number..<(isLasting ? .max : number + 1))
                    let results = await send(request, times, transport)
                    isReached = Scarcity.end() > number
                    for result in results { check(result, number) }
                    // An uncaught error would end the process without a message.
                    let next = await Result.catching { try await transport.send(request).text }
                    #expect((try? next.get()) == text, "after \(number): \(next)")
                    transport.shutdown()
                    try await until { Scarcity.blocks <= before }
                    number += step
                }
                #expect(number > 30)
            }
        }

        private static func send(
            _ request: TransportRequest, _ times: Int, _ transport: CurlTransport
        ) async -> [Result<TransportResponse, any Error>] {
            await withTaskGroup(of: Result<TransportResponse, any Error>.self) { group in
                for _ in 0..<times {
                    group.addTask { await .catching { try await transport.send(request) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }

        private static func check(
            _ result: Result<TransportResponse, any Error>, _ number: Int
        ) {
            do {
                #expect(try result.get().text == text, "without allocation \(number)")
            } catch {
                let reason = reason(error)
                #expect(
                    reasons.contains { Int($0.rawValue) == reason },
                    "without allocation \(number): \(error)")
                // The certificate is valid.
                #expect((error as? URLError)?.code != .serverCertificateUntrusted)
            }
        }

        private static func reason(_ error: any Error) -> Int? {
            ((error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? CurlError)?.code
        }
    }
#endif
