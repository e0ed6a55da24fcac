import CMoyaCurl
import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The names that libcurl has to look up again, without requests and name servers.
@Suite struct FailedLookupsStateTests {
    /// The entries of `CURLOPT_RESOLVE` after requests for `texts` that failed with `code`.
    private func entries(
        after code: CURLcode, of texts: [String] = ["http://a.test"], isNeeded: Bool = true,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) -> Set<String> {
        var configuration = CurlTransport.Configuration()
        change(&configuration)
        var lookups = FailedLookups(isNeeded: isNeeded)
        for text in texts { lookups.note(code, URL(string: text), configuration) }
        return Set(lookups.takeRemovals())
    }

    @Test func `a failed lookup is removed by its host and port, or its scheme's default port`() {
        let texts = ["http://a.test/x", "HTTPS://b.test", "http://c.test:81"]
        let expected: Set = ["-a.test:80", "-b.test:443", "-c.test:81"]
        #expect(entries(after: CURLE_COULDNT_RESOLVE_HOST, of: texts) == expected)
    }

    @Test func `a failed lookup over DNS over HTTPS removes host and name server`() {
        let removals = entries(after: CURLE_COULDNT_RESOLVE_HOST) {
            $0.network.dnsOverHTTPS = URL(string: "https://dns.test/dns-query")
        }
        #expect(removals == ["-a.test:80", "-dns.test:443"])
    }

    @Test(arguments: [
        ("http://proxy.test", "-proxy.test:1080"), ("https://proxy.test", "-proxy.test:443"),
        ("socks5://proxy.test:9050", "-proxy.test:9050"),
    ])
    func `a failed lookup of the proxy removes the proxy and not the server`(
        proxy: String, expected: String
    ) throws {
        let proxy = try #require(URL(string: proxy))
        let removals = entries(after: CURLE_COULDNT_RESOLVE_PROXY) {
            $0.proxy = .url(proxy)
        }
        #expect(removals == [expected])
    }

    @Test func `a failed lookup of an unknown proxy and other failures remove no name`() {
        #expect(entries(after: CURLE_COULDNT_CONNECT) == [])
        let removals = entries(after: CURLE_COULDNT_RESOLVE_PROXY) {
            $0.proxy = .environment
        }
        #expect(removals == [])
    }

    @Test func `no name is removed where libcurl does not cache failed lookups`() {
        let removals = entries(after: CURLE_COULDNT_RESOLVE_HOST, isNeeded: false)
        #expect(removals == [])
    }

    @Test func `a name is removed once for each failed lookup`() {
        let configuration = CurlTransport.Configuration()
        let url = URL(string: "http://a.test")
        var lookups = FailedLookups(isNeeded: true)
        for _ in 0..<2 {
            lookups.note(CURLE_COULDNT_RESOLVE_HOST, url, configuration)
            lookups.note(CURLE_COULDNT_RESOLVE_HOST, url, configuration)
            #expect(lookups.takeRemovals() == ["-a.test:80"])
            #expect(lookups.takeRemovals() == [])
        }
    }
}
