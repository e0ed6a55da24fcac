import CMoyaCurl
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Failed lookups. libcurl 8.16 and later caches them for 30 seconds, before 8.22 even after a temporary DNS failure or a lack of
// memory or descriptors. Requests fail from that cache without a lookup.
extension CurlDriver {
    /// Records the names whose lookup may have failed the transfer.
    func noteFailedName(_ code: CURLcode, _ transfer: Transfer) {
        guard CurlLibrary.remembersFailedNames else { return }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            let port = transfer.url?.scheme?.lowercased() == "https" ? 443 : 80
            noteFailedName(of: transfer.url, defaultPort: port)
            noteFailedName(of: configuration.network.dnsOverHTTPS, defaultPort: 443)
        case CURLE_COULDNT_RESOLVE_PROXY:
            // Of the proxies that the environment names, libcurl does not tell which one it was.
            guard case .url(let proxy) = configuration.proxy.kind else { return }
            // libcurl's own default for all but HTTPS proxies.
            let port = proxy.scheme?.lowercased() == "https" ? 443 : 1080
            noteFailedName(of: proxy, defaultPort: port)
        default: break
        }
    }

    private func noteFailedName(of url: URL?, defaultPort: Int) {
        guard let url, let host = url.host else { return }
        let name = host.contains(":") ? "[\(host)]" : host
        failedNames.insert("\(name):\(url.port ?? defaultPort)")
    }

    /// Removes the recorded names from libcurl's cache.
    func forgetFailedNames() {
        guard !failedNames.isEmpty else { return }
        let names = failedNames
        failedNames = []
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for name in names {
            // Without memory the name stays in the cache for 30 seconds.
            guard let longer = curl_slist_append(list, "-\(name)") else { break }
            list = longer
        }
        // libcurl applies `CURLOPT_RESOLVE` removals only when a transfer starts; this one opens no socket.
        runDummyRequest(resolve: list)
    }
}
