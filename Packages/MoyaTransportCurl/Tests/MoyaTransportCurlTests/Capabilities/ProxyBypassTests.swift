import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hosts that bypass the proxy. In child processes, because the tests set environment variables.
@Suite struct ProxyBypassTests {
    @Test func `no_proxy exceptions apply to the environment's proxy alone`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            let proxy = try MockServer { _ in .text("from the proxy") }
            let server = try MockServer()
            setenv("http_proxy", proxy.url.absoluteString, 1)
            setenv("no_proxy", "127.0.0.1", 1)
            for (settings, count) in [
                (CurlTransport.Configuration.Proxy.environment, 0), (.url(proxy.url), 1),
                (.url(proxy.url, excluding: ["127.0.0.1"]), 1),
            ] {
                _ = try await fetch("\(server.url)/get") { $0.proxy = settings }
                #expect(proxy.requests.count == count)
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "", true), ("other.test,127.0.0.1", "other.test", true),
        ("", "127.0.0.1", true), ("*", "", true), ("other.test", "127.0.0.1", false),
        ("", "", false),
    ])
    func `no_proxy exceptions and configured exclusions apply together`(
        lower: String, upper: String, isException: Bool
    ) async throws {
        await #expect(processExitsWith: .success) { [lower, upper, isException] in
            let proxy = try MockServer { _ in .text("from the proxy") }
            let server = try MockServer()
            setenv("http_proxy", proxy.url.absoluteString, 1)
            setenv("no_proxy", lower, 1)
            setenv("NO_PROXY", upper, 1)
            for (hosts, isAdded) in [([], false), (["example.test"], false), (["*"], true)] {
                var settings = CurlTransport.Configuration.Proxy.environment
                settings.excludedHosts = hosts
                let response = try await fetch("\(server.url)/get") { $0.proxy = settings }
                let isDirect = try response.text != "from the proxy"
                #expect(isDirect == (isException || isAdded), "\(hosts)")
                _ = try await fetch("http://example.test:\(server.port)/get") {
                    $0.proxy = settings
                    $0.network.hostOverrides = [
                        .init(host: "example.test", port: server.port, addresses: ["127.0.0.1"])
                    ]
                }
            }
            // Each time without the proxy, or only if it is excluded.
            let named = server.requests.count {
                $0.value(for: "Host")?.hasPrefix("example") == true
            }
            #expect(named == (lower == "*" ? 3 : 2))
        }
    }

    @Test(arguments: [
        ("example.test", false), ("api.example.test", false), ("example.test.", false),
        ("badexample.test", true), ("other.test", true),
    ])
    func `A proxy exclusion covers the host and its subdomains`(
        host: String, goesThroughProxy: Bool
    ) async throws {
        let proxy = try MockServer { _ in .text("from the proxy") }
        defer { proxy.stop() }
        let server = try MockServer()
        defer { server.stop() }
        _ = try await fetch("http://\(host):\(server.port)/get") {
            $0.proxy = .url(proxy.url, excluding: ["example.test"])
            $0.network.hostOverrides = [
                .init(host: host, port: server.port, addresses: ["127.0.0.1"])
            ]
        }
        #expect(proxy.requests.count == (goesThroughProxy ? 1 : 0))
        #expect(server.requests.count == (goesThroughProxy ? 0 : 1))
    }
}
