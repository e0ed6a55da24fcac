import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The choice of HTTP/3, and its fallback.
@Suite(.timeLimit(.minutes(3))) struct HTTP3ChoiceTests {
    @Test(arguments: [CurlTransport.Configuration.HTTPVersion.http3, .http3Only])
    func `HTTP/3 with a libcurl without HTTP/3 is a configuration error`(
        version: CurlTransport.Configuration.HTTPVersion
    ) {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = version
        let result = Result { try CurlTransport(configuration: configuration) }
        if CurlLibrary.hasHTTP3 {
            #expect(throws: Never.self) { try result.get() }
        } else {
            let error = #expect(throws: CurlTransport.ConfigurationError.self) { try result.get() }
            let end = "is built without HTTP/3. Use .automatic."
            #expect(error?.description.hasSuffix(end) == true)
        }
    }

    @Test(.requires(.http3, .caddy, .openssl))
    func `HTTP/3 is tried first if the configuration enables it`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let response = try await fetch("\(caddy.url)get") {
            $0.httpVersion = .http3
            // Longer than a busy server takes to respond.
            $0.network.happyEyeballsTimeout = 60
            $0.tls.trust = .file(caddy.authority)
        }
        #expect(response.metrics.protocolName == "h3")
    }

    @Test(.requires(.http3, .caddy, .openssl))
    func `HTTP/3 is not used by default`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let response = try await fetch("\(caddy.url)get") { $0.tls.trust = .file(caddy.authority) }
        #expect(response.metrics.protocolName == "h2")
    }

    /// nginx listens on TCP only.
    @Suite(
        .requires(.http3, .nginx, .openssl))
    struct WithoutServer {
        private func send(
            to nginx: Nginx, _ version: CurlTransport.Configuration.HTTPVersion,
            connectTimeout: TimeInterval = 30
        ) async throws -> TransportResponse {
            try await fetch(nginx.url.absoluteString) {
                $0.httpVersion = version
                $0.connectTimeout = connectTimeout
                $0.tls.trust = .file(nginx.authority)
            }
        }

        @Test func `HTTP/2 is used where the server has no HTTP/3`() async throws {
            let nginx = try await Nginx(.valid)
            let response = try await send(to: nginx, .http3)
            #expect(response.head.statusCode == 200)
            #expect(response.metrics.protocolName == "h2")
        }

        @Test func `HTTP/2 is used where UDP datagrams get no answer`() async throws {
            let nginx = try await Nginx(.valid)
            let hole = try DatagramHole(port: try #require(nginx.url.port))
            defer { hole.close() }
            let response = try await send(to: nginx, .http3)
            #expect(response.metrics.protocolName == "h2")
        }

        @Test func `http3Only fails where the server has no HTTP/3`()
            async throws
        {
            let nginx = try await Nginx(.valid)
            let error = await #expect(throws: URLError.self) {
                try await send(to: nginx, .http3Only)
            }
            #expect(error?.code == .cannotConnectToHost)
            #expect(error?.localizedDescription.contains("QUIC") == true)
            let hole = try DatagramHole(port: try #require(nginx.url.port))
            defer { hole.close() }
            let timeout = await #expect(throws: URLError.self) {
                try await send(to: nginx, .http3Only, connectTimeout: 0.3)
            }
            #expect(timeout?.code == .timedOut)
            #expect(try nginx.requestCount == 0)
        }

        @Test func `requests to http URLs never use HTTP/3`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let response = try await fetch("\(server.url)/get") { $0.httpVersion = .http3 }
            #expect(response.metrics.protocolName == "http/1.1")
            let error = await #expect(throws: URLError.self) {
                try await fetch("\(server.url)/get") { $0.httpVersion = .http3Only }
            }
            #expect(error?.code == .unsupportedURL)
            #expect(server.requests.count == 1)
        }

        @Test func `requests through a proxy never use HTTP/3`() async throws {
            let nginx = try await Nginx(.valid)
            let tunnel = try Tunnel(.connect())
            defer { tunnel.stop() }
            let response = try await fetch(nginx.url.absoluteString) {
                $0.httpVersion = .http3
                $0.proxy = .url(tunnel.url)
                $0.tls.trust = .file(nginx.authority)
            }
            #expect(response.metrics.protocolName == "h2")
            #expect(tunnel.heads.count == 1)
            var configuration = CurlTransport.Configuration()
            configuration.httpVersion = .http3Only
            for isProxy in [true, false] {
                configuration.proxy = isProxy ? .url(tunnel.url) : .none
                configuration.network.unixSocket = isProxy ? nil : nginx.unixSocket
                let error = #expect(throws: CurlTransport.ConfigurationError.self) {
                    try CurlTransport(configuration: configuration)
                }
                #expect(error?.description.contains("Use .http3") == true)
            }
        }
    }
}

/// A UDP port of 127.0.0.1 that receives datagrams and sends none.
private struct DatagramHole {
    private let descriptor: Int32

    init(port: Int) throws {
        let descriptor = makeSocket(AF_INET, takesDatagrams: true)
        var address = sockaddr_in(loopback: port)
        guard address.asSystemAddress({ bind(descriptor, $0, $1) == 0 }) else {
            let code = errno
            _ = closeDescriptor(descriptor)
            throw POSIXError(.init(rawValue: code) ?? .EIO)
        }
        self.descriptor = descriptor
    }

    func close() { _ = closeDescriptor(descriptor) }
}

private let closeDescriptor: @Sendable (Int32) -> Int32 = { close($0) }
