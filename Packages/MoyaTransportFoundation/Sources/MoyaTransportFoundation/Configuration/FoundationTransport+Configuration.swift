import Foundation
import MoyaCore

extension FoundationTransport {
    /// How a ``FoundationTransport`` connects.
    ///
    /// What URLSession cannot do on Linux is an error when the transport is made. The README lists it.
    public struct Configuration: Sendable {
        /// Whose certificates are trusted.
        public enum Trust: Sendable {
            /// The system's.
            case system
            /// The certificates in this PEM file, in place of the system's. The file is read once. Not on Linux.
            case file(URL)
            /// The certificates in this PEM data, in place of the system's. Not on Linux.
            case data(Data)
        }

        /// Which way requests go.
        public enum Proxy: Sendable, Equatable {
            /// The system's settings. On Linux, `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the
            /// environment.
            case system
            /// Straight to the server. Not on Linux.
            case none
            /// Through this HTTP proxy, `https` with CONNECT (RFC 9110, section 9.3.6). Not on Linux.
            case http(host: String, port: Int)
        }

        /// The oldest TLS version that is spoken.
        public enum TLSVersion: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// Whose certificates are trusted. On Linux, the system's alone.
        public var trust = Trust.system
        /// The oldest TLS version that is spoken. `nil` leaves it to the system: TLS 1.2 on Apple platforms,
        /// whatever its libcurl was built with on Linux, where other values are errors.
        public var minimumTLSVersion: TLSVersion?
        /// Shown to servers that ask for a certificate: `URLCredential(identity:certificates:persistence:)`. Not on
        /// Linux.
        public var clientCertificate: URLCredential?
        /// Whether HTTP/3 is tried before a server has announced it. Not on Linux.
        public var assumesHTTP3 = false
        /// The name of a session that goes on while the app is suspended. Not on Linux. No other session of the app
        /// may have it, and what such a session cannot do is in the README.
        public var backgroundIdentifier: String?
        /// Which way requests go.
        public var proxy = Proxy.system
        /// Where cookies are kept between requests. `nil` neither keeps nor sends any.
        ///
        /// On Linux they are kept and sent as RFC 6265bis has it, without a list of public suffixes.
        ///
        /// A request's own `Cookie` field is sent alone on Linux, in place of those that are kept, and not together
        /// with them as by CurlTransport. On Apple platforms URLSession chooses, unless the request's
        /// `httpShouldHandleCookies` is `false`: such a request neither sends nor keeps others anywhere.
        public var cookies: HTTPCookieStorage?
        /// Where responses are kept as they allow it (RFC 9111). `nil` keeps none. Not on Linux.
        public var cache: URLCache?
        /// The header fields of requests that have no field of that name. One that cannot be sent is a
        /// ``FoundationTransport/ConfigurationError``.
        public var additionalHeaders: [String: String] = DefaultHeaders.all
        /// How long a whole exchange may take, in seconds, redirects and all. `nil`, and 0 or less, leaves it to
        /// the request's `timeoutInterval`, which bounds how long nothing may move.
        public var exchangeTimeout: TimeInterval?
        /// Whether a request waits for a network where there is none, rather than fail. That wait does not count
        /// for its `timeoutInterval`. Not on Linux.
        public var waitsForConnectivity = false
        /// How many bytes of a response that is read as it arrives, but more slowly, may wait in a temporary file.
        /// One more fails the exchange with `URLError(.dataLengthExceedsMaximum)`. The server is held back long
        /// before, except on Linux, where nothing holds it back.
        public var streamBacklogLimit = 1 << 30
        /// How many connections may be open to one host, at least one. Further requests wait. On Linux, at most a
        /// quarter of the file descriptors that the process may open.
        public var maxConnectionsPerHost = 64

        /// The system's certificates and proxies, and neither cookies nor a cache.
        public init() {}
    }

    /// Why a configuration cannot be had with URLSession on this platform.
    public struct ConfigurationError: Error, Sendable, Equatable, LocalizedError,
        CustomStringConvertible
    {
        /// What cannot be had, and what to do.
        public let description: String
        public var errorDescription: String? { description }
    }
}

extension FoundationTransport.Configuration {
    /// Sets what is the same on every platform.
    func apply(to configuration: URLSessionConfiguration) {
        configuration.urlCache = cache
        if cache == nil { configuration.requestCachePolicy = .reloadIgnoringLocalCacheData }
        configuration.httpCookieStorage = cookies
        configuration.httpShouldSetCookies = cookies != nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = max(1, maxConnectionsPerHost)
    }
}
