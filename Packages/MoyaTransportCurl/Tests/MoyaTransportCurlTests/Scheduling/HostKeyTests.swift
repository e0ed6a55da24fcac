import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Host keys for connection limits, which have to match libcurl's. Otherwise libcurl would hold a
/// request back, and the request would appear idle.
@Suite(.timeLimit(.minutes(3))) struct HostKeyTests {
    private func keys(
        _ texts: [String], _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) -> [String] {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 1
        change(&configuration)
        let keys = HostKeys(configuration)
        return texts.map { keys.key(for: URL(string: $0)) }
    }

    @Test(arguments: [
        [
            "http://Example.com/a", "http://example.com", "HTTP://example.com:80/b",
            "http://example.com.",
        ],
        ["https://example.com", "https://EXAMPLE.com:443/"],
        ["http://127.0.0.1/", "http://127.1:80", "http://0x7f000001/"],
        ["http://[::1]/", "http://[0:0::1]:80/"],
    ])
    func `Spellings of one host have one host key`(texts: [String]) {
        #expect(Set(keys(texts)).count == 1)
    }

    @Test func `Different hosts, ports and schemes have different host keys`() {
        let texts = [
            "http://a.test", "http://b.test", "http://a.test:81", "https://a.test", "http://[::1]",
            "http://1.a.test",
        ]
        #expect(Set(keys(texts)).count == texts.count)
    }

    @Test(arguments: ["https:", "https:/", "https:?x", "https:#f", "https://a.test:8", "https://a"])
    func `A URL that begins another has its own host key`(text: String) {
        let other = "https://a.test:80/x"
        #expect(keys([other]) == [keys([text, other])[1]])
        #expect(Set(keys([other, text, other])).count == 2)
    }

    @Test func `All http URLs through an HTTP proxy share its host key`() throws {
        let proxy = try #require(URL(string: "http://127.0.0.1:1"))
        let socks = try #require(URL(string: "socks5h://127.0.0.1:1"))
        let texts = ["http://a.test", "http://b.test", "https://a.test", "https://b.test"]
        #expect(Set(keys(texts) { $0.proxy = .url(proxy) }).count == 3)
        #expect(Set(keys(texts) { $0.proxy = .url(socks) }).count == 4)
        #expect(Set(keys(texts) { $0.proxy = .url(proxy, excluding: ["b.test"]) }).count == 4)
        #expect(Set(keys(texts) { $0.proxy = .url(proxy, excluding: ["*"]) }).count == 4)
        // Without a limit for each host, hosts behind a proxy take turns like others.
        let isLimited = Set(
            keys(texts) {
                $0.proxy = .url(proxy)
                $0.maxConnectionsPerHost = 0
            })
        #expect(isLimited.count == 4)
    }

    /// In a child process, because the test sets environment variables.
    @Test(arguments: [
        ("http_proxy", "http://127.0.0.1:1", "", true), ("all_proxy", "127.0.0.1:1", "", true),
        ("ALL_PROXY", "socks5://127.0.0.1:1", "", false), ("https_proxy", "127.0.0.1:1", "", false),
        ("http_proxy", "127.0.0.1:1", "10.0.0.2", false), ("http_proxy", "127.0.0.1:1", "*", false),
        ("http_proxy", "127.0.0.1:1", "10.0.0.0/8", false),
        ("http_proxy", "127.0.0.1:1", "a.test", true),
    ])
    func `All http URLs through the environment's HTTP proxy share its host key`(
        name: String, value: String, exceptions: String, isOne: Bool
    ) async {
        await #expect(processExitsWith: .success) { [name, value, exceptions, isOne] in
            setenv(name, value, 1)
            setenv("no_proxy", exceptions, 1)
            let texts = ["http://10.0.0.1", "http://10.0.0.2"]
            let keys = HostKeyTests().keys(texts) { $0.proxy = .environment }
            #expect((Set(keys).count == 1) == isOne)
            #expect(Set(HostKeyTests().keys(texts)).count == 2)
        }
    }

    /// Sends a request while another one uses the only connection. Returns the number of running
    /// requests.
    private func countTogether(
        _ first: String, _ second: String, _ change: (inout CurlTransport.Configuration) -> Void
    ) async throws -> Int {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerHost = 1
        change(&configuration)
        let transport = try CurlTransport(configuration: configuration)
        let tasks = try [first, second].map { text in
            let request = TransportRequest(.patient(try #require(URL(string: text))))
            return Task { try await transport.send(request) }
        }
        let loop = try transport.firstLoop()
        try await until {
            try await loop.perform { $0.handles.active.count + $0.queue.waitingCount } == 2
        }
        let count = try await loop.perform { $0.handles.active.count }
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
        return count
    }

    @Test func `A request to a host in another spelling counts against that host's limit`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let urls = ["a.test", "A.Test"].map { "http://\($0):\(server.port)/stall" }
        let count = try await countTogether(urls[0], urls[1]) {
            $0.network.hostOverrides = [
                .init(host: "a.test", port: server.port, addresses: ["127.0.0.1"])
            ]
        }
        #expect(count == 1)
    }

    @Test func `A request through an HTTP proxy counts against the proxy's limit`() async throws {
        let proxy = try MockServer { _ in .silence(then: .stall) }
        defer { proxy.stop() }
        let count = try await countTogether("http://a.test/stall", "http://b.test/stall") {
            $0.proxy = .url(proxy.url)
        }
        #expect(count == 1)
    }
}
