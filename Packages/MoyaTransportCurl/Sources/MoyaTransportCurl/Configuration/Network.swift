#if CURL
import CMoyaCurl
import MoyaCore
import MoyaInternals

extension CurlTransport.Configuration {
    /// Name resolution, addresses and network interfaces.
    public struct Network: Sendable, Equatable {
        /// IP versions used to connect to a host.
        public enum IPVersion: Sendable {
            /// Both, raced against each other (RFC 8305).
            case any
            /// IPv4 only.
            case v4
            /// IPv6 only.
            case v6
        }

        /// Addresses of a host, used in place of a DNS lookup.
        public struct HostOverride: Sendable, Hashable {
            /// The host of the URL.
            public var host: String
            /// The port of the URL, or the default port of its scheme.
            public var port: Int
            /// IP addresses to connect to.
            public var addresses: [String]

            /// Creates an override.
            ///
            /// - Parameters:
            ///   - host: The host of the URL.
            ///   - port: From 1 to 65535.
            ///   - addresses: At least one IPv4 or IPv6 address. Without an address, or with a port
            ///     out of range, the transport's initializer throws a
            ///     ``CurlTransport/ConfigurationError``.
            public init(host: String, port: Int, addresses: [String]) {
                self.host = host
                self.port = port
                self.addresses = addresses
            }
        }

        /// Addresses used in place of DNS lookups. TLS still checks the certificate against the
        /// host's name.
        public var hostOverrides: [HostOverride] = []
        /// The URL of a DNS-over-HTTPS server (RFC 8484). With `nil` the system resolves names.
        ///
        /// libcurl trusts this server's certificate by ``TLS/trust``, or by the anchors of the
        /// evaluator for the host being resolved. Other settings of
        /// ``CurlTransport/Configuration/tls`` do not apply to it: versions, cipher suites, pins
        /// and identity. With cookies enabled, cookies of this server are stored and sent like
        /// others.
        ///
        /// Lookups use the environment's proxy, if it names one for this server, without a proxy
        /// user and regardless of ``Proxy/excludedHosts``. They do not use ``interface``. Therefore
        /// this setting is a ``CurlTransport/ConfigurationError`` together with
        /// ``Proxy/url(_:user:password:excluding:)``, with ``interface``, and with ``Proxy/none``
        /// if the environment names a proxy for this server.
        public var dnsOverHTTPS: URL?
        /// The local interface or address of connections, such as `eth0` or `192.0.2.7`. `nil` lets
        /// the system choose. A host name is written as `host!name`: libcurl looks it up for each
        /// connection, and all requests of the thread wait meanwhile.
        public var interface: String?
        /// IP versions used to connect.
        public var ipVersion = IPVersion.any
        /// Head start of IPv6 over IPv4, and of HTTP/3 over HTTP/2, in seconds.
        public var happyEyeballsTimeout: TimeInterval = 0.2
        /// A Unix domain socket for every connection, regardless of the URL's host. The
        /// environment's proxy is not used. A proxy URL together with it is a
        /// ``CurlTransport/ConfigurationError``.
        public var unixSocket: URL?

        /// The default: the system resolves names and chooses addresses and interfaces.
        public init() {}
    }

    /// The proxy between the client and servers.
    public struct Proxy: Sendable, Equatable {
        enum Kind: Equatable {
            case none
            case environment
            case url(URL)
        }

        var kind: Kind
        /// The user name for the proxy. Not sent to servers.
        ///
        /// Sent with the password as Basic, without a challenge, as the curl program does. A proxy
        /// that offers Digest and not Basic gets Digest, from then on. Without TLS, anyone on the
        /// way to the proxy can therefore read the password: use an `https` proxy where that
        /// matters, also if the proxy requires Digest.
        public var user: String?
        /// The password for the proxy. Not sent to servers.
        public var password: String?
        /// Hosts reached without the proxy, including their subdomains: `localhost`, `example.com`.
        /// For the environment's proxy, the hosts in `no_proxy` are added.
        public var excludedHosts: [String] = []
        /// Header fields for an HTTP proxy, such as a credential that it expects without a
        /// challenge.
        ///
        /// They are sent with `CONNECT` requests, and not through the tunnel. Requests to `http`
        /// URLs carry them too, and the proxy may forward them to the server. They are not sent to
        /// a SOCKS proxy or on direct connections. Some versions of libcurl do not send fields
        /// without a value. An invalid field is a ``CurlTransport/ConfigurationError``.
        public var fields: [HeaderField] = []

        /// No proxy, regardless of the environment.
        public static let none = Proxy(kind: .none)
        /// The proxy that the environment variables `http_proxy`, `https_proxy`, `all_proxy` and
        /// `no_proxy` name.
        public static let environment = Proxy(kind: .environment)

        /// The proxy at `url`. Requests to `https` URLs go through a tunnel.
        ///
        /// The scheme is `http`, `https`, `socks4`, `socks4a`, `socks5`, or `socks5h`, where the
        /// proxy resolves names. An `https` proxy needs a certificate that
        /// ``CurlTransport/Configuration/TLS/trust`` accepts; the TLS versions and cipher suites
        /// for servers apply to it. Another scheme, a missing host and an invalid port are a
        /// ``CurlTransport/ConfigurationError``.
        public static func url(
            _ url: URL, user: String? = nil, password: String? = nil, excluding hosts: [String] = []
        ) -> Proxy { Proxy(kind: .url(url), user: user, password: password, excludedHosts: hosts) }

        static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

        /// The URL of the configured proxy. `nil` for the environment's, and for none.
        var url: URL? { if case .url(let url) = kind { url } else { nil } }

        /// The URL of the HTTP proxy that carries the requests to `http` URLs, all over the same
        /// connections. `nil` if there is none.
        var plainProxy: String? {
            if kind == .environment { return ProxyEnvironment.plainProxy }
            return url?.scheme?.lowercased().hasPrefix("http") == true ? url?.absoluteString : nil
        }
    }
}

extension CurlTransport.Configuration.Network {
    /// The value for `CURLOPT_INTERFACE`. It says what ``interface`` is: libcurl would look up the
    /// name of an interface that does not exist at the moment as a host's.
    var interfaceOption: String? {
        guard let interface, !interface.contains("!") else { return interface }
        let isIPv4 = interface.allSatisfy { $0.isNumber || $0 == "." }
        // An alias of an interface, such as eth0:1, has a single colon.
        let isIPv6 = interface.count { $0 == ":" } > 1
        return (isIPv4 || isIPv6 ? "host!" : "if!") + interface
    }

    /// The overrides as a list for `CURLOPT_RESOLVE`, which the caller frees. `nil` if empty.
    func makeOverrides() throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
        try CurlLibrary.makeList(
            hostOverrides.map { override in
                let addresses = override.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
                return "\(override.host):\(override.port):\(addresses.joined(separator: ","))"
            })
    }
}

extension CurlTransport.Configuration.Proxy {
    /// The header fields as a list for `CURLOPT_PROXYHEADER`, which the caller frees. `nil` if
    /// empty.
    func makeFields() throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
        // libcurl sends "Name;" as a field without a value. "Name:" would remove the field.
        try CurlLibrary.makeList(
            fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" })
    }
}

/// The proxy variables of the environment, read as libcurl reads them.
enum ProxyEnvironment {
    /// The value of `no_proxy`: hosts reached without a proxy. `nil` if unset or empty.
    static var exceptions: String? { first("no_proxy", "NO_PROXY") }

    /// Whether the environment names a proxy for `https` URLs of `host`. Networks in `no_proxy`,
    /// such as `10.0.0.0/8`, are ignored.
    static func hasProxy(forSecure host: String) -> Bool {
        first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") != nil
            && !isExcepted(HostName.canonical(host), by: exceptions ?? "")
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
            let name = name.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "."))
            return name == host || !isAddress && host.hasSuffix("." + name)
        }
    }

    /// Whether `host` is an IPv4 or IPv6 address rather than a name.
    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// The first of these variables that is not empty.
    private static func first(_ names: String...) -> String? {
        names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    }
}

// MARK: Descriptions, without passwords and header field values

extension CurlTransport.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
    /// The kind, user, excluded hosts and field names. The password is masked, and the URL
    /// redacted.
    public var description: String {
        let hosts = excludedHosts.isEmpty ? "" : ", excluding: \(excludedHosts)"
        let user = user.map { ", user: \"\($0)\"" } ?? ""
        let password = password == nil ? "" : ", password: \(Redaction.mask)"
        let fields = fields.isEmpty ? "" : ", fields: \(fields.map(\.name))"
        return "Proxy(\(place)\(user)\(password)\(hosts)\(fields))"
    }

    /// The values of `description`, for `dump` and debuggers. The password is masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": place, "user": user as Any,
                "password": password.map { _ in Redaction.mask } as Any,
                "excludedHosts": excludedHosts, "fields": fields.map(\.name),
            ], displayStyle: .struct)
    }

    private var place: String {
        switch kind {
        case .none: "none"
        case .environment: "environment"
        case .url(let url): Redaction.default.redact(url: url)
        }
    }
}

extension CurlTransport.Configuration.Network: CustomStringConvertible, CustomReflectable {
    /// Every setting. Credentials in the `dnsOverHTTPS` URL are redacted.
    public var description: String {
        let parts = children.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
        return "Network(\(parts))"
    }

    /// The values of `description`, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: children.map { (Optional($0), $1) }, displayStyle: .struct)
    }

    private var children: [(label: String, value: Any)] {
        [
            ("hostOverrides", hostOverrides),
            ("dnsOverHTTPS", dnsOverHTTPS.map(Redaction.default.redact(url:)) as Any),
            ("interface", interface as Any), ("ipVersion", ipVersion),
            ("happyEyeballsTimeout", happyEyeballsTimeout), ("unixSocket", unixSocket as Any),
        ]
    }
}

extension CurlTransport.Configuration.Proxy {
    /// The hosts reached without the proxy, for `CURLOPT_NOPROXY`. That option replaces the
    /// environment's `no_proxy`, which is therefore included.
    var exceptions: String {
        var hosts = excludedHosts
        if kind == .environment, let more = ProxyEnvironment.exceptions { hosts.append(more) }
        // libcurl accepts "*" only as the whole value.
        return hosts.contains("*") ? "*" : hosts.joined(separator: ",")
    }

    /// Whether a user name for the proxy is configured, or may be in the environment's URL.
    var mayHaveCredential: Bool {
        kind == .environment || url.map { user != nil || $0.user != nil } ?? false
    }

    /// Whether there is an HTTP proxy with a user name for `http` URLs.
    var hasPlainCredential: Bool {
        plainProxy.map { user != nil || $0.utf8.contains(UInt8(ascii: "@")) } ?? false
    }

    /// Whether an HTTP proxy with a user name carries the requests to `http` URLs of `host`.
    /// Networks in `no_proxy` are ignored.
    func hasCredential(forPlain host: String) -> Bool {
        hasPlainCredential
            && !ProxyEnvironment.isExcepted(HostName.canonical(host), by: exceptions)
    }
}
#endif
