#if CURL
// Versions: 8.16.0 and later.
// Test: FailedLookupsTests, FailedLookupsStateTests, AllocationTests.
// Without them: nothing.

import CMoyaCurl
import Foundation

/// Names whose lookup has failed. libcurl 8.16 and later cache failed lookups for 30 seconds,
/// before 8.22 also after a temporary DNS failure or for want of memory or descriptors. Requests
/// fail from that cache without a lookup.
struct FailedLookups {
    static let areCached = CurlLibrary.version >= 0x081000

    private let isNeeded: Bool
    /// Each as `host:port`.
    private var names: Set<String> = []

    init(isNeeded: Bool = areCached) { self.isNeeded = isNeeded }

    /// Records the names whose lookup may have failed the request for `url` with `code`.
    mutating func note(_ code: CURLcode, _ url: URL?, _ configuration: CurlTransport.Configuration)
    {
        guard isNeeded else { return }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            note(url, defaultPort: url?.scheme?.lowercased() == "https" ? 443 : 80)
            note(configuration.network.dnsOverHTTPS, defaultPort: 443)
        case CURLE_COULDNT_RESOLVE_PROXY:
            // libcurl does not report which of the environment's proxies it looked up.
            guard case .url(let proxy) = configuration.proxy.kind else { return }
            // 1080 is libcurl's default port for all proxies but HTTPS proxies.
            note(proxy, defaultPort: proxy.scheme?.lowercased() == "https" ? 443 : 1080)
        default: break
        }
    }

    private mutating func note(_ url: URL?, defaultPort: Int) {
        guard let url, let host = url.host else { return }
        let name = host.contains(":") ? "[\(host)]" : host
        names.insert("\(name):\(url.port ?? defaultPort)")
    }

    var isEmpty: Bool { names.isEmpty }

    /// Takes the recorded names, as entries of `CURLOPT_RESOLVE` that remove them from libcurl's
    /// cache.
    mutating func takeRemovals() -> [String] {
        names.isEmpty ? [] : exchange(&names, with: []).map { "-\($0)" }
    }
}
#endif
