#if CURL
import Foundation
import MoyaCore
import MoyaInternals

/// The proxy variables of the environment, read as libcurl reads them.
enum ProxyEnvironment {
    /// The value of `no_proxy`: hosts reached without a proxy. `nil` if unset or empty.
    static var exceptions: String? { first("no_proxy", "NO_PROXY") }

    /// Whether the environment names a proxy for `https` URLs of `host`. Networks in `no_proxy`,
    /// such as `10.0.0.0/8`, are ignored.
    static func hasProxy(forSecure host: String) -> Bool {
        guard first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") != nil else {
            return false
        }
        guard let exceptions else { return true }
        return !isExcepted(HostName.canonical(host), by: exceptions)
    }

    /// The URL of the HTTP proxy for `http` URLs. `nil` if there is no such proxy.
    static var plainProxy: String? {
        // HTTP_PROXY is not read: under CGI, a client's Proxy header field would set it.
        let proxy = first("http_proxy", "all_proxy", "ALL_PROXY")
        return proxy.flatMap { $0.lowercased().hasPrefix("socks") ? nil : $0 }
    }

    /// Whether `exceptions` contain `host`, in its canonical form, or a parent domain. Networks in
    /// `exceptions` are ignored.
    static func isExcepted(_ host: String, by exceptions: String) -> Bool {
        if exceptions == "*" { return true }
        let isAddress = isAddress(host)
        return exceptions.split(whereSeparator: ", \t".contains).contains { name in
            let name = bare(name.lowercased())
            return name == host || !isAddress && host.hasSuffix("." + name)
        }
    }

    /// Whether `host` is an IPv4 or IPv6 address rather than a name.
    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// `name` without leading and trailing dots.
    private static func bare(_ name: String) -> String {
        name.trimmingCharacters(in: CharacterSet(charactersIn: "."))
    }

    /// The first of these variables that is not empty.
    private static func first(_ names: String...) -> String? {
        names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    }
}
#endif
