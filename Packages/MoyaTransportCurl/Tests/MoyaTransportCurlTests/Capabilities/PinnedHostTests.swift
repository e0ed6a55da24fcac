import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Pins for hosts in different spellings.
@Suite(
    .requires(.nginx, .openssl))
struct PinnedHostTests {
    private static let otherPin = Data(repeating: 7, count: 32).base64EncodedString()

    private func configuration(_ nginx: Nginx, host: String) -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.network.hostOverrides = [host, host + "."].map {
            .init(host: $0, port: nginx.url.port ?? 0, addresses: ["127.0.0.1"])
        }
        return configuration
    }

    private func request(_ nginx: Nginx, host: String) throws -> TransportRequest {
        let url = try #require(URL(string: "https://\(host):\(nginx.url.port ?? 0)/"))
        return TransportRequest(URLRequest(url: url))
    }

    @Test(arguments: ["other.test", "OTHER.test", "other.test.", "oth%65r.test"])
    func `A pin applies to every spelling of a host name`(host: String) async throws {
        let nginx = try await Nginx(.otherHost)
        let request = try request(nginx, host: host)
        for key in ["other.test", "Other.Test.", "*.test"] {
            var configuration = configuration(nginx, host: "other.test")
            configuration.tls.pinnedKeys = [key: [Self.otherPin]]
            let strict = try CurlTransport(configuration: configuration)
            await #expect(throws: URLError.self, "\(key)") { try await strict.send(request) }
            #expect(try nginx.requestCount == 0)
        }
        let strict = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["other.test": PinnedCertificatesTrustEvaluator(certificates: [])])
        var configuration = configuration(nginx, host: "other.test")
        configuration.tls.serverTrustManager = strict
        let transport = try CurlTransport(configuration: configuration)
        await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(try nginx.requestCount == 0)
        configuration.tls.serverTrustManager = nil
        configuration.tls.pinnedKeys = ["other.test": [nginx.pin]]
        let lenient = try CurlTransport(configuration: configuration)
        #expect(try await lenient.send(request).head.statusCode == 200)
    }

    @Test(arguments: ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1"])
    func `A pin applies to every spelling of an IPv4 address`(host: String) async throws {
        let nginx = try await Nginx(.valid)
        var configuration = configuration(nginx, host: "a.test")
        configuration.tls.pinnedKeys = ["127.0.0.1": [Self.otherPin]]
        let transport = try CurlTransport(configuration: configuration)
        let request = try request(nginx, host: host)
        await #expect(throws: URLError.self) { try await transport.send(request) }
        #expect(try nginx.requestCount == 0)
    }

    @Test func `Pins are checked on every connection`() async throws {
        let (right, wrong) = (try await Nginx(.valid), try await Nginx(.valid))
        var configuration = CurlTransport.Configuration()
        let authorities = try [right, wrong].map { try Data(contentsOf: $0.authority) }
        configuration.tls.trust = .data(authorities.reduce(Data(), +))
        configuration.tls.pinnedKeys = ["127.0.0.1": [right.pin]]
        let transport = try CurlTransport(configuration: configuration)
        for _ in 0..<2 {
            #expect(
                try await transport.send(request(right, host: "127.0.0.1")).head.statusCode == 200)
            let error = await #expect(throws: URLError.self) {
                try await transport.send(request(wrong, host: "127.0.0.1"))
            }
            #expect(error?.code == .secureConnectionFailed)
        }
        #expect(try wrong.requestCount == 0)
    }
}
