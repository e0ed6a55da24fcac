import CCurl
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Names that could not be resolved. libcurl from 8.16 on remembers them for half a minute, in which each request fails
// without a question, also where the name server was away for a moment, or memory or descriptors had run out.
extension CurlDriver {
    /// Takes note of the names that a transfer may have failed for.
    func noteFailedName(_ code: CURLcode, _ transfer: Transfer) {
        guard CurlLibrary.remembersFailedNames else { return }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            let port = transfer.url?.scheme?.lowercased() == "https" ? 443 : 80
            noteFailedName(of: transfer.url, defaultPort: port)
            noteFailedName(of: configuration.network.dnsOverHTTPS, defaultPort: 443)
        case CURLE_COULDNT_RESOLVE_PROXY:
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

    /// Has libcurl forget the names that were noted.
    func forgetFailedNames() {
        guard !failedNames.isEmpty else { return }
        let names = failedNames
        failedNames = []
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for name in names {
            // Without memory the name stays for half a minute.
            guard let longer = curl_slist_append(list, "-\(name)") else { break }
            list = longer
        }
        askForConnection(names: list)
    }
}
