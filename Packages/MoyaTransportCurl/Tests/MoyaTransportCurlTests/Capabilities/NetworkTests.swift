import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Name resolution, interfaces, addresses and transfer rates.
@Suite struct NetworkTests {
    private func send(
        _ text: String, _ change: (inout CurlTransport.Configuration) -> Void
    ) async throws -> TransportResponse {
        try await fetch(text) {
            $0.connectTimeout = 120
            change(&$0)
        }
    }

    @Test func `a host override connects to the given address and keeps the Host field`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let response = try await send("http://api.example.test:\(server.port)/get") {
            $0.network.hostOverrides = [
                .init(host: "api.example.test", port: server.port, addresses: ["127.0.0.1"])
            ]
        }
        #expect(response.head.statusCode == 200)
        #expect(server.requests.first?.value(for: "Host") == "api.example.test:\(server.port)")
    }

    #if os(Linux)
        @Test(
            .requires(.nginx, .openssl)
        ) func `the server sees the configured source address`() async throws {
            let nginx = try await Nginx(.valid)
            for address in ["127.0.0.2", "127.0.0.3"] {
                let response = try await send("\(nginx.url)peer") {
                    $0.network.interface = address
                    $0.tls.trust = .file(nginx.authority)
                }
                #expect(try response.text == address)
            }
        }
    #endif

    #if canImport(Darwin)
        private static let loopback = "lo0"
    #else
        private static let loopback = "lo"
    #endif

    @Test func `connections use the configured interface, and an unknown interface is an error`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        for name in ["127.0.0.1", Self.loopback] {
            let response = try await send("\(server.url)/get") { $0.network.interface = name }
            #expect(response.head.statusCode == 200)
        }
        for name in ["if!nosuch0", "nosuch0"] {
            let error = await #expect(throws: URLError.self) {
                try await send("\(server.url)/get") { $0.network.interface = name }
            }
            #expect(error?.code == .cannotConnectToHost)
        }
    }

    /// libcurl would look up a name without a prefix if no interface has it.
    @Test(arguments: [
        ("eth0", "if!eth0"), ("eth0:1", "if!eth0:1"), ("example.test", "if!example.test"),
        ("192.0.2.7", "host!192.0.2.7"), ("2001:db8::7", "host!2001:db8::7"),
        ("fe80::1%eth0", "host!fe80::1%eth0"), ("host!example.test", "host!example.test"),
    ]) func `an interface is passed to libcurl as an interface or an address`(
        interface: String, option: String
    ) {
        var network = CurlTransport.Configuration.Network()
        network.interface = interface
        #expect(network.interfaceOption == option)
    }

    @Test func `connections use only the configured IP version`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let url = "http://localhost:\(server.port)/get"
        let metrics = try await send(url) { $0.network.ipVersion = .v4 }.metrics
        #expect(metrics.remoteAddress == "127.0.0.1")
        // The server listens on IPv4 only.
        await #expect(throws: URLError.self) {
            try await send(url) { $0.network.ipVersion = .v6 }
        }
    }

    @Test(
        .requires(.nginx, .openssl)
    ) func `connections go to the configured Unix domain socket`() async throws {
        let nginx = try await Nginx(.valid)
        let response = try await send("http://api.example.test/") {
            $0.network.unixSocket = nginx.unixSocket
        }
        #expect(try response.text == "api.example.test over a socket")
    }

    @Test func `a proxy beside a Unix socket is an error`() throws {
        var configuration = CurlTransport.Configuration()
        configuration.network.unixSocket = URL(fileURLWithPath: "/nonexistent.socket")
        configuration.proxy = .url(try #require(URL(string: "http://127.0.0.1:1")))
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(error?.description.contains("Unix domain socket") == true)
    }

    @Test func `a transfer below the minimum speed times out`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send("\(server.url)/drip?bytes=1000&delay=50") {
                $0.minimumSpeed = .init(bytesPerSecond: 1000, duration: 1)
            }
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a response that begins after the first-byte timeout is an error`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send("\(server.url)/stall") { $0.firstByteTimeout = 0.05 }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.localizedDescription.contains("did not begin to answer") == true)
        let slow = try await send("\(server.url)/drip?bytes=4&delay=30") {
            $0.firstByteTimeout = 120
        }
        #expect(slow.head.statusCode == 200)
    }
}
