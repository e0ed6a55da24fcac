import Foundation
import MoyaCore
import MoyaInternals

/// Tells what counts as one host where connections are limited for each: what libcurl counts as one. Otherwise it would
/// hold back requests of its own, which would seem silent.
struct HostKeys: Sendable {
    /// The hosts whose `http` URLs an HTTP proxy is not asked for, as libcurl takes them. `nil` where no such proxy counts.
    ///
    /// It does not where only all connections together are limited: hosts behind it take turns like others.
    private let exceptions: String?

    init(_ configuration: CurlTransport.Configuration) {
        let proxy = configuration.proxy
        let counts =
            configuration.maxConnectionsPerHost > 0 && configuration.network.unixSocket == nil
        exceptions = counts && proxy.speaksHTTP ? proxy.exceptions : nil
    }

    func key(for url: URL?) -> String {
        let host = HostName.canonical(url?.host ?? "")
        let isSecure = url?.scheme?.lowercased() == "https"
        if !isSecure, let exceptions, !Self.mayPassBy(host, exceptions) { return "proxy" }
        return "\(host):\(url?.port ?? (isSecure ? 443 : 80))"
    }

    /// Networks that addresses are excepted with are not looked at: hosts that might be among them count each for itself.
    private static func mayPassBy(_ host: String, _ exceptions: String) -> Bool {
        ProxyEnvironment.isExcepted(host, by: exceptions)
            || exceptions.contains("/") && ProxyEnvironment.isAddress(host)
    }
}

extension CurlTransport.Configuration.Proxy {
    /// Whether `http` URLs are asked of it, over connections that all of them share.
    fileprivate var speaksHTTP: Bool {
        switch kind {
        case .none: false
        case .environment: ProxyEnvironment.speaksHTTP
        case .url(let url): url.scheme?.lowercased().hasPrefix("http") == true
        }
    }
}
