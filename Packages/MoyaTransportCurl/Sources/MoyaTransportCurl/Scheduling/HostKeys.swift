#if CURL
import Foundation
import MoyaCore
import MoyaInternals

/// Tells what counts as one host where connections are limited for each: what libcurl counts as one. Otherwise it would
/// hold back requests of its own, which would seem silent.
///
/// Lives on the loop's thread.
final class HostKeys {
    /// The most keys that are kept.
    private static let mostKeys = 1024

    /// The hosts whose `http` URLs an HTTP proxy is not asked for, as libcurl takes them. `nil` where no such proxy counts.
    ///
    /// It does not where only all connections together are limited: hosts behind it take turns like others.
    private let exceptions: String?
    /// By scheme and authority, as they stand in the URL: to take those apart costs more than a place in the queue.
    private var keys: [Substring: String] = [:]

    init(_ configuration: CurlTransport.Configuration) {
        let proxy = configuration.proxy
        let counts =
            configuration.maxConnectionsPerHost > 0 && configuration.network.unixSocket == nil
        exceptions = counts && proxy.speaksHTTP ? proxy.exceptions : nil
    }

    func key(for url: URL?) -> String {
        let text = url?.absoluteString ?? ""
        let origin = Self.origin(of: text)
        if let key = keys[origin] { return key }
        let key = makeKey(for: url)
        // Neither without bound, nor with a password that may be in it.
        if keys.count >= Self.mostKeys { keys = [:] }
        if !origin.contains("@") { keys[Substring(String(origin))] = key }
        return key
    }

    /// Scheme and authority of a URL.
    private static func origin(of text: String) -> Substring {
        var slashes = 0
        let end = text.utf8.firstIndex { byte in
            // The third one ends the authority, as the query and the fragment do.
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        return text[..<(end ?? text.endIndex)]
    }

    private func makeKey(for url: URL?) -> String {
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
#endif
