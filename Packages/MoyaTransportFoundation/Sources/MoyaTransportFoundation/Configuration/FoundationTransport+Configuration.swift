import Foundation
import MoyaCore

extension FoundationTransport {
    /// Configuration of a ``FoundationTransport``.
    ///
    /// Options that URLSession does not support on Linux make the transport's initializer throw
    /// there. The README lists them.
    public struct Configuration: Sendable {
        /// Trusted certificates.
        public enum Trust: Sendable {
            /// Certificates that the system trusts.
            case system
            /// Certificates in this PEM file instead of the system's. The file is read once. Not
            /// available on Linux.
            case file(URL)
            /// Certificates in this PEM data instead of the system's. Not available on Linux.
            case data(Data)
        }

        /// Proxy for requests.
        public enum Proxy: Sendable, Equatable {
            /// Proxy settings of the system. On Linux, the environment variables `http_proxy`,
            /// `https_proxy`, `all_proxy` and `no_proxy`.
            case system
            /// No proxy. Not available on Linux.
            case none
            /// HTTP proxy. `https` requests use CONNECT (RFC 9110, section 9.3.6). Not available on
            /// Linux.
            case http(host: String, port: Int)
        }

        /// Minimum TLS version.
        public enum TLSVersion: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// Trusted certificates. `.system` by default, and the only value on Linux.
        public var trust = Trust.system
        /// Minimum TLS version. `nil`, the default, uses the system's minimum: TLS 1.2 on Apple
        /// platforms, and the minimum of URLSession's libcurl on Linux, where other values are
        /// errors.
        public var minimumTLSVersion: TLSVersion?
        /// Client certificate for servers that require one:
        /// `URLCredential(identity:certificates:persistence:)`. Not available on Linux.
        public var clientCertificate: URLCredential?
        /// Whether HTTP/3 is tried before a server has announced it. `false` by default. Not
        /// available on Linux.
        public var assumesHTTP3 = false
        /// Identifier of a background session, which continues while the app is suspended. Must be
        /// unique within the app. The README lists the limits of background sessions. Not available
        /// on Linux.
        public var backgroundIdentifier: String?
        /// Proxy for requests. `.system` by default.
        public var proxy = Proxy.system
        /// Cookie storage. `nil`, the default, neither stores nor sends cookies.
        ///
        /// On Linux, this transport stores and sends the cookies by RFC 6265bis, without a public
        /// suffix list.
        ///
        /// If a request has a `Cookie` field, Linux sends only this field, and Apple platforms
        /// leave the choice to URLSession. `CurlTransport` sends both the field and the stored
        /// cookies. A request whose `httpShouldHandleCookies` is `false` neither sends nor stores
        /// cookies of the storage on any platform.
        public var cookies: HTTPCookieStorage?
        /// Response cache (RFC 9111). `nil`, the default, caches no responses. Not available on
        /// Linux.
        public var cache: URLCache?
        /// Header fields for requests without a field of the same name. An invalid field is a
        /// ``FoundationTransport/ConfigurationError``. ``FoundationTransport/defaultHeaders`` by
        /// default.
        public var additionalHeaders: [String: String] = DefaultHeaders.all
        /// Timeout of the whole exchange including redirects, in seconds. `nil`, 0 or less sets
        /// none. The idle timeout is the request's `timeoutInterval` in any case.
        public var exchangeTimeout: TimeInterval?
        /// Whether a request waits for a network connection instead of failing. The wait does not
        /// count towards the request's `timeoutInterval`. `false` by default. Not available on
        /// Linux.
        public var waitsForConnectivity = false
        /// Maximum number of bytes of a streamed response that wait in a temporary file for a slow
        /// reader. 1 GiB by default. If more arrive, the exchange fails with
        /// `URLError(.dataLengthExceedsMaximum)`. On Apple platforms, back-pressure stops the
        /// server long before. Linux has no back-pressure.
        public var streamBacklogLimit = 1 << 30
        /// Maximum number of connections to one host. 64 by default, at least 1. Further requests
        /// wait. On Linux, also limited to a quarter of the process's file descriptors.
        public var maxConnectionsPerHost = 64

        /// Creates the default configuration: the system's certificates and proxy settings, no
        /// cookies and no cache.
        public init() {}
    }

    /// Error for a configuration that URLSession does not support on this platform.
    public struct ConfigurationError: Error, Sendable, Equatable, LocalizedError,
        CustomStringConvertible
    {
        /// Message with the unsupported option and an alternative.
        public let description: String
        /// The same text as ``description``.
        public var errorDescription: String? { description }
    }
}

extension FoundationTransport.Configuration {
    /// Applies the options that work alike on every platform.
    func apply(to configuration: URLSessionConfiguration) {
        configuration.urlCache = cache
        if cache == nil { configuration.requestCachePolicy = .reloadIgnoringLocalCacheData }
        configuration.httpCookieStorage = cookies
        configuration.httpShouldSetCookies = cookies != nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = max(1, maxConnectionsPerHost)
    }
}
