import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hosts some of whose addresses refuse connections.
@Suite(.timeLimit(.minutes(1))) struct ForgottenAddressesTests {
    #if os(Linux)
        /// Other systems have only one loopback address.
        @Test func `an address is tried as soon as the ones before have refused`() async throws {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            var configuration = CurlTransport.Configuration()
            // libcurl may wait for half of this between two addresses.
            configuration.connectTimeout = 600
            configuration.network.happyEyeballsTimeout = 300
            configuration.network.hostOverrides = [
                .init(
                    host: "some.test", port: server.port,
                    addresses: ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.1"])
            ]
            let url = try #require(URL(string: "http://some.test:\(server.port)/"))
            let request = TransportRequest(URLRequest(url: url, timeoutInterval: 20))
            let response = try await CurlTransport(configuration: configuration).send(request)
            #expect(response.metrics.remoteAddress == "127.0.0.1")
        }
    #endif
}
