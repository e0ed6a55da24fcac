#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

extension CurlTransport.Configuration {
    /// Where names lead to, and by which way.
    public struct Network: Sendable, Equatable {
        /// Which IP addresses of a host are connected to.
        public enum IPVersion: Sendable {
            /// Both at once, whichever connects first (RFC 8305).
            case any
            /// IPv4 alone.
            case v4
            /// IPv6 alone.
            case v6
        }

        /// An address to use in place of what the name system says.
        public struct HostOverride: Sendable, Hashable {
            /// The host as in the URL.
            public var host: String
            /// The port as in the URL, or its scheme's.
            public var port: Int
            /// IP addresses to connect to.
            public var addresses: [String]

            /// - Parameters:
            ///   - port: From 1 to 65535.
            ///   - addresses: IPv4 or IPv6, at least one. Where there are none, or a port is out of range, making the
            ///     transport fails with a ``CurlTransport/ConfigurationError``.
            public init(host: String, port: Int, addresses: [String]) {
                self.host = host
                self.port = port
                self.addresses = addresses
            }
        }

        /// Addresses to use in place of what the name system says. TLS still checks the host's name.
        public var hostOverrides: [HostOverride] = []
        /// A server to ask for names over HTTPS (RFC 8484). `nil` asks the system.
        ///
        /// It is trusted by ``TLS/trust``, or by the anchors of the evaluator that judges the host whose name is
        /// asked for. libcurl tells it nothing else of ``CurlTransport/Configuration/tls``: neither versions nor cipher
        /// suites, pins nor identity. Where cookies are kept, those that it sets are among them and are sent to it.
        ///
        /// It is asked through the environment's proxy, if there is one for it, without a proxy's user and whatever
        /// ``Proxy/excludedHosts`` says, and from any interface. So it is a
        /// ``CurlTransport/ConfigurationError`` beside ``Proxy/url(_:user:password:excluding:)`` and beside
        /// ``interface``, and beside ``Proxy/none`` where the environment names a proxy for it.
        public var dnsOverHTTPS: URL?
        /// The interface, address or host name that connections come from.
        public var interface: String?
        /// Which addresses are used.
        public var ipVersion = IPVersion.any
        /// How long IPv6 has the start of IPv4, and HTTP/3 of HTTP/2, in seconds.
        public var happyEyeballsTimeout: TimeInterval = 0.2
        /// The Unix domain socket that every connection goes to, whatever the URL's host, past the proxy that the
        /// environment may name. Another proxy beside it is a ``CurlTransport/ConfigurationError``.
        public var unixSocket: URL?

        /// The names, addresses and ways that the system has.
        public init() {}
    }

    /// What stands between the client and the servers.
    public struct Proxy: Sendable, Equatable {
        enum Kind: Equatable {
            case none
            case environment
            case url(URL)
        }

        var kind: Kind
        /// The user for the proxy. Never sent to the server.
        public var user: String?
        /// The password for the proxy. Never sent to the server.
        public var password: String?
        /// Hosts that are reached without the proxy, with all below them: `localhost`, `example.com`. For the
        /// environment's proxy, those in its `no_proxy` are as well.
        public var excludedHosts: [String] = []
        /// Header fields for an HTTP proxy: a credential that it wants without asking for it, for one.
        ///
        /// A tunnel is asked for with them, and nothing of them goes through it. Requests to `http` URLs bear them as
        /// well, and the proxy may pass them on to the server. Not sent past the proxy, nor to a SOCKS proxy. One
        /// without a value is not sent by every libcurl, and one that no message can hold is a
        /// ``CurlTransport/ConfigurationError``.
        public var fields: [HeaderField] = []

        /// No proxy, whatever the environment says.
        public static let none = Proxy(kind: .none)
        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment say.
        public static let environment = Proxy(kind: .environment)

        /// The proxy at `url`, whose scheme is `http`, `https`, `socks4`, `socks4a`, `socks5` or, where the
        /// proxy shall resolve names, `socks5h`. Requests to `https` URLs go through a tunnel. A proxy over
        /// TLS needs a certificate that ``CurlTransport/Configuration/TLS/trust`` trusts, and is spoken to with the
        /// versions and cipher suites that servers are. Another scheme, and a URL without a host or with a port that is
        /// none, is a ``CurlTransport/ConfigurationError``.
        public static func url(
            _ url: URL, user: String? = nil, password: String? = nil, excluding hosts: [String] = []
        ) -> Proxy {
            Proxy(kind: .url(url), user: user, password: password, excludedHosts: hosts)
        }

        static let schemes: Set<String> = [
            "http", "https", "socks4", "socks4a", "socks5", "socks5h",
        ]
    }
}

extension CurlTransport.Configuration.Network {
    /// The overrides as libcurl takes them. `nil` for none.
    func makeOverrides() throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
        try makeList(
            hostOverrides.map { override in
                let addresses = override.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
                return "\(override.host):\(override.port):\(addresses.joined(separator: ","))"
            })
    }
}

extension CurlTransport.Configuration.Proxy {
    /// The header fields as libcurl takes them. `nil` for none.
    func makeFields() throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
        // What ends in a colon is a field to leave out.
        try makeList(fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" })
    }
}

private func makeList(_ lines: [String]) throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
        guard let longer = curl_slist_append(list, line) else {
            curl_slist_free_all(list)
            throw CurlError(CURLE_OUT_OF_MEMORY)
        }
        list = longer
    }
    return list
}
#endif
