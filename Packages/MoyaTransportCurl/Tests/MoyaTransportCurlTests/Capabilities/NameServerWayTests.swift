import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A proxy that an environment variable of a child process names. Responds to every request with
/// 403.
private final class EnvironmentProxy {
    private let server: RawServer
    private let received: Locked<[String]>

    /// The head of the first request on each connection.
    var heads: [String] { received.withLock { $0 } }

    /// - Parameter exceptions: The value of `no_proxy`.
    init(_ variable: String, exceptions: String = "") throws {
        let received = Locked<[String]>([])
        self.received = received
        server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            received.withLock { $0.append(head) }
            connection.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        setenv(variable, server.url.absoluteString, 1)
        setenv("no_proxy", exceptions, 1)
    }
}

/// The route to a DNS-over-HTTPS server, which libcurl chooses independently of the requests'
/// settings.
@Suite struct NameServerWayTests {
    private func expectRefusal(
        _ part: String, _ change: (inout CurlTransport.Configuration) -> Void
    ) {
        var configuration = CurlTransport.Configuration()
        configuration.network.dnsOverHTTPS = URL(string: "https://127.0.0.1:1/")
        change(&configuration)
        let error = #expect(throws: CurlTransport.ConfigurationError.self) {
            try CurlTransport(configuration: configuration)
        }
        #expect(error?.description.contains(part) == true)
    }

    @Test func `A proxy or interface that DNS over HTTPS would bypass is a configuration error`()
        throws
    {
        let proxy = try #require(URL(string: "socks5h://127.0.0.1:1"))
        expectRefusal("proxy") { $0.proxy = .url(proxy) }
        expectRefusal("interface") { $0.network.interface = "127.0.0.1" }
    }

    @Test(arguments: [
        ("https_proxy", ""), ("HTTPS_PROXY", "other.test"), ("all_proxy", "amoya.test"),
        ("ALL_PROXY", "names.moya.test.other"),
    ])
    func `DNS over HTTPS that would use an unwanted environment proxy is an error`(
        name: String, exceptions: String
    ) async throws {
        await #expect(processExitsWith: .success) { [name, exceptions] in
            let proxy = try EnvironmentProxy(name, exceptions: exceptions)
            let error = await #expect(throws: CurlTransport.ConfigurationError.self) {
                try await fetch("http://api.test/") {
                    $0.network.dnsOverHTTPS = URL(string: "https://names.moya.test/")
                    $0.network.hostOverrides = [
                        .init(host: "names.moya.test", port: 443, addresses: ["127.0.0.1"])
                    ]
                }
            }
            #expect(error?.description.contains("environment") == true)
            #expect(proxy.heads.isEmpty)
        }
    }

    @Test(arguments: [
        ("https_proxy", "names.moya.test"), ("https_proxy", "other.test, .moya.test"),
        ("all_proxy", "*"), ("http_proxy", ""), ("https_proxy", "MOYA.test."),
    ])
    func `An environment proxy that does not apply to the DNS-over-HTTPS server is ignored`(
        name: String, exceptions: String
    ) async throws {
        await #expect(processExitsWith: .success) { [name, exceptions] in
            let proxy = try EnvironmentProxy(name, exceptions: exceptions)
            let error = await #expect(throws: URLError.self) {
                try await fetch("http://api.test/") {
                    $0.network.dnsOverHTTPS = URL(string: "https://names.moya.test:1/")
                }
            }
            #expect(error?.code == .cannotFindHost)
            #expect(proxy.heads.isEmpty)
        }
    }

    @Test func `DNS over HTTPS uses the environment's proxy where the configuration allows it`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let proxy = try EnvironmentProxy("https_proxy")
            _ = try? await fetch("http://api.test/") {
                $0.proxy = .environment
                $0.network.dnsOverHTTPS = URL(string: "https://names.test/")
            }
            #expect(proxy.heads.contains { $0.hasPrefix("CONNECT names.test:443") })
        }
    }
}
