#if CURL
import Foundation
import MoyaInternals

/// Names the host that a connection counts for, by libcurl's own rule. With a different rule,
/// libcurl would hold back transfers that were already admitted, and they would appear to be idle.
///
/// Used on the loop's thread only.
final class HostKeys {
    /// The most cached keys.
    private static let mostKeys = 1024

    /// Hosts whose `http` URLs bypass the HTTP proxy, in libcurl's form. `nil` if connections are
    /// not counted for an HTTP proxy.
    ///
    /// They are counted for it only where a limit for each host applies. With a total limit alone,
    /// hosts behind a proxy take turns like others.
    private let exceptions: String?
    /// Cached keys by the URL's unparsed scheme and authority. Parsing them costs more than a place
    /// in the queue.
    private var keys: [Substring: String] = [:]
    /// The newest key, and its scheme and authority: most programs have one host.
    private var last: (origin: [UInt8], key: String)?

    init(_ configuration: CurlTransport.Configuration) {
        let proxy = configuration.proxy
        let counts =
            configuration.maxConnectionsPerHost > 0 && configuration.network.unixSocket == nil
        exceptions = counts && proxy.plainProxy != nil ? proxy.exceptions : nil
    }

    func key(for url: URL?) -> String {
        var text = url?.absoluteString ?? ""
        if let last, text.withUTF8({ Self.begins($0, with: last.origin) }) { return last.key }
        let origin = Self.origin(of: text)
        if let key = keys[origin] { return key }
        let key = makeKey(for: url)
        // Not kept: passwords, and URLs without a host, such as "http:", with which others begin.
        guard !origin.contains("@"), url?.host?.isEmpty == false else { return key }
        if keys.count >= Self.mostKeys { keys = [:] }
        keys[Substring(String(origin))] = key
        last = (Array(origin.utf8), key)
        return key
    }

    /// Whether `origin` is the scheme and authority of the URL `text`.
    private static func begins(_ text: UnsafeBufferPointer<UInt8>, with origin: [UInt8]) -> Bool {
        guard text.count >= origin.count, text.starts(with: origin) else { return false }
        return text.count == origin.count || "/?#".utf8.contains(text[origin.count])
    }

    /// Scheme and authority of a URL.
    private static func origin(of text: String) -> Substring {
        var text = text
        var slashes = 0
        let end = text.withUTF8 { bytes in
            bytes.firstIndex { byte in
                // The third slash, a query or a fragment ends the authority.
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
        }
        return Substring(text.utf8.prefix(end ?? .max))
    }

    private func makeKey(for url: URL?) -> String {
        let host = HostName.canonical(url?.host ?? "")
        let isSecure = url?.scheme?.lowercased() == "https"
        if !isSecure, let exceptions, !Self.mayPassBy(host, exceptions) { return "proxy" }
        return "\(host):\(url?.port ?? (isSecure ? 443 : 80))"
    }

    /// Whether `host` may bypass the proxy. Networks in `exceptions` are not evaluated: each
    /// address that may be in one is counted by itself.
    private static func mayPassBy(_ host: String, _ exceptions: String) -> Bool {
        ProxyEnvironment.isExcepted(host, by: exceptions)
            || exceptions.contains("/") && ProxyEnvironment.isAddress(host)
    }
}

/// Which hosts have connections in use, and which have connections being opened. A request that
/// waits inside libcurl waits for one of them, and libcurl does not report for which.
struct HostStates {
    enum State {
        /// A request uses a connection, which may become free.
        case inUse
        /// A connection is being opened, and none is in use. The server may be unreachable.
        case connecting
        /// Neither: libcurl has not noticed yet that the request can go on (``LostWakes``), or the
        /// connections being opened to other hosts reach the limit.
        case unused
    }

    /// The limit of all connections. 0 if there is none.
    private let total: Int
    private var states: [String: State] = [:]
    /// The local ports of the connections in use, which requests may share.
    private var ports: Set<Int> = []

    init(total: Int) { self.total = total }

    /// Counts a running attempt for a host.
    mutating func note(_ host: String, _ attempt: ConnectingState, port: Int) {
        switch attempt.step {
        case .waiting: break
        case .lookingUpName, .opening:
            if states[host] == nil { states[host] = .connecting }
        case .hasConnection:
            states[host] = .inUse
            ports.insert(port)
        }
    }

    /// The state that a request to `host` may wait for the end of.
    func state(of host: String) -> State {
        // At the limit of all connections, a request waits for any of them.
        if total > 0, ports.count >= total { return .inUse }
        return states[host] ?? .unused
    }
}
#endif
