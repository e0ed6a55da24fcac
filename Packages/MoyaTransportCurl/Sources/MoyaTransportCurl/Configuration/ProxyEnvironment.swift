#if CURL
import Foundation
import MoyaCore
import MoyaInternals

/// What the environment says of proxies, read as libcurl reads it.
enum ProxyEnvironment {
    /// The hosts that are reached without one. `nil` where none is named.
    static var exceptions: String? { first("no_proxy", "NO_PROXY") }

    /// Whether `https` URLs of `host` may go through one. Networks that addresses are excepted with are passed over.
    static func hasProxy(forSecure host: String) -> Bool {
        guard first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") != nil else {
            return false
        }
        guard let exceptions else { return true }
        return !isExcepted(HostName.canonical(host), by: exceptions)
    }

    /// Whether the one for `http` URLs, where there is one, speaks HTTP.
    static var speaksHTTP: Bool {
        // Not HTTP_PROXY, which may come from a request's field where the process answers one (CGI).
        let proxy = first("http_proxy", "all_proxy", "ALL_PROXY")
        return proxy.map { !$0.lowercased().hasPrefix("socks") } ?? false
    }

    /// Whether `host`, in its canonical form, is reached without one. Networks are passed over here as well.
    static func isExcepted(_ host: String, by exceptions: String) -> Bool {
        if exceptions == "*" { return true }
        let isAddress = isAddress(host)
        return exceptions.split(whereSeparator: ", \t".contains).contains { name in
            let name = bare(name.lowercased())
            return name == host || !isAddress && host.hasSuffix("." + name)
        }
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Without the dots that may stand around it.
    private static func bare(_ name: String) -> String {
        name.trimmingCharacters(in: CharacterSet(charactersIn: "."))
    }

    /// An empty one is none.
    private static func first(_ names: String...) -> String? {
        names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    }
}
#endif
