#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// An authentication scheme for proxies.
enum ProxyScheme {
    case basic, digest

    /// libcurl's bit for the scheme.
    var mask: Int { self == .basic ? moya_auth_mask(1, 0, 0) : moya_auth_mask(0, 1, 0) }

    /// The other scheme, if a challenge offers it and not this one.
    ///
    /// - Parameter offers: The bits of `CURLINFO_PROXYAUTH_AVAIL`.
    func replacement(among offers: Int) -> ProxyScheme? {
        let other = self == .basic ? ProxyScheme.digest : .basic
        return offers & mask == 0 && offers & other.mask != 0 ? other : nil
    }
}

extension CurlTransport.Configuration.Proxy {
    /// Whether a user name for the proxy is configured, or may be in the environment's URL.
    var mayHaveCredential: Bool {
        switch kind {
        case .none: false
        case .environment: true
        case .url(let url): user != nil || url.user != nil
        }
    }

    /// Whether an HTTP proxy with a user name carries the requests to `http` URLs of `host`.
    /// Networks in `no_proxy` are ignored.
    func hasCredential(forPlain host: String) -> Bool {
        let address =
            switch kind {
            case .none: String?.none
            case .environment: ProxyEnvironment.plainProxy
            case .url(let url):
                url.scheme?.lowercased().hasPrefix("http") == true ? url.absoluteString : nil
            }
        guard let address, user != nil || address.utf8.contains(UInt8(ascii: "@")) else {
            return false
        }
        return !ProxyEnvironment.isExcepted(HostName.canonical(host), by: exceptions)
    }
}
#endif
