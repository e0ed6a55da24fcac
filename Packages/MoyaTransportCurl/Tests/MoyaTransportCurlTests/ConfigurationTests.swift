import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Timeouts and limits of a configuration, and invalid settings.
@Suite struct ConfigurationTests {
    @Test func `certificates that cannot be read are an error`() {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(URL(fileURLWithPath: "/nonexistent.pem"))
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(
            error?.description
                == "tls.trust's certificate file /nonexistent.pem cannot be read. Check the path "
                + "and the permissions.")
        configuration.tls.trust = .data(Data("no certificate".utf8))
        #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
    }

    @Test func `Negotiate is an error with a libcurl that is built without GSS-API`() {
        var configuration = CurlTransport.Configuration()
        configuration.authentication = [.basic, .negotiate]
        let result = Result { try CurlTransport(configuration: configuration) }
        if CurlLibrary.hasNegotiate {
            #expect(throws: Never.self) { try result.get() }
        } else {
            let error = #expect(throws: CurlTransport.ConfigurationError.self) { try result.get() }
            #expect(
                error?.description
                    == "\(CurlLibrary.name) is built without GSS-API. Leave out .negotiate.")
        }
    }

    @Test func `In-memory client certificates and keys that are invalid are an error`() {
        typealias Identity = CurlTransport.Configuration.TLS.Identity
        let certificate = Data("-----BEGIN CERTIFICATE-----".utf8)
        let key = Data("-----BEGIN EC PRIVATE KEY-----".utf8)
        for (identity, message) in [
            (.pem(certificate: key, key: key), "certificate data contains no PEM certificate ("),
            (.pem(certificate: certificate, key: certificate), "key data contains no PEM key ("),
            (.pem(certificate: certificate, key: Data()), "key data contains no PEM key ("),
            (.pkcs12(certificate), "PKCS#12 data contains no PKCS#12 archive ("),
        ] as [(Identity, String)] {
            var configuration = CurlTransport.Configuration()
            configuration.tls.identity = identity
            let error = #expect(throws: CurlTransport.ConfigurationError.self) {
                try CurlTransport(configuration: configuration)
            }
            #expect(error?.description.hasPrefix("tls.identity's \(message)") == true)
        }
    }

    @Test func `without a connect timeout, connecting ends at the request's timeout`()
        async throws
    {
        let listener = try DeafListener()
        defer { listener.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.connectTimeout = 0
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        var request = URLRequest(url: url)
        request.timeoutInterval = 0.3
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(request))
        }
        #expect(
            error?.localizedDescription == "No data was sent or received for 0.3 seconds.")
    }

    @Test func `timeouts of 0 seconds set no limit`() async throws {
        let server = try MockServer { _ in .text("x").delayed(by: 0.1) }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.connectTimeout = 0
        configuration.exchangeTimeout = 0
        configuration.firstByteTimeout = 0
        configuration.connectionWaitTimeout = 0
        configuration.maxConnections = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: server.url))
        async let first = transport.send(request)
        async let second = transport.send(request)
        for response in try await [first, second] { #expect(response.head.statusCode == 200) }
    }

    @Test(arguments: [-1, .nan, .infinity, -.infinity] as [TimeInterval])
    func `a negative, infinite or NaN timeout is an error`(seconds: TimeInterval) {
        for (name, time) in [
            ("connectTimeout", \.connectTimeout), ("idleTimeout", \.idleTimeout),
            ("expectContinueTimeout", \.expectContinueTimeout),
        ] as [(String, WritableKeyPath<CurlTransport.Configuration, TimeInterval>)] {
            var configuration = CurlTransport.Configuration()
            configuration[keyPath: time] = seconds
            let error = #expect(throws: CurlTransport.ConfigurationError.self) {
                try CurlTransport(configuration: configuration)
            }
            #expect(
                error?.description
                    == "\(name) is \(seconds) seconds, but must be finite and 0 or more.")
        }
    }

    @Test func `the exchange timeout limits a whole exchange`() async throws {
        let server = try MockServer { _ in
            MockResponse(
                body: .chunked(Array(repeating: Data("drip".utf8), count: 1000), interval: 0.02))
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.exchangeTimeout = 0.3
        let transport = try CurlTransport(configuration: configuration)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(error?.code == .timedOut)
        #expect(
            error?.localizedDescription == "The request exceeded its total timeout of 0.3 s.")
    }

    /// The 20 allowed redirects would take two seconds. Each takes less than the timeout of half a
    /// second.
    @Test func `the exchange timeout includes all redirects`() async throws {
        let server = try MockServer { _ in .redirect(to: "/again").delayed(by: 0.1) }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await fetch("\(server.url)/") { $0.exchangeTimeout = 0.5 }
        }
        #expect(error?.code == .timedOut)
        #expect(server.requests.count <= RedirectPolicy.defaultLimit)
    }

    @Test func `requests wait when the connections to a host are limited`() async throws {
        let server = try MockServer { _ in .text("x").delayed(by: 0.01) }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 2
        let transport = try CurlTransport(configuration: configuration)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await transport.send(TransportRequest(URLRequest(url: server.url))).head
                        .statusCode
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.connectionCount <= 2)
    }

    @Test func `a URLError contains the libcurl error and no secrets`() async throws {
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:1/path?token=abc"))
        let error = await #expect(throws: URLError.self) {
            try await CurlTransport().send(TransportRequest(URLRequest(url: url)))
        }
        let userInfo = try #require(error.map { ($0 as NSError).userInfo })
        #expect((userInfo[NSUnderlyingErrorKey] as? CurlError)?.code == 7)
        #expect(
            (userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString
                == "http://127.0.0.1:1/path")
        #expect(!"\(userInfo)".contains("abc"))
        #expect(!"\(userInfo)".contains("pass"))
    }
}
