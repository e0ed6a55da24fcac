#if CURL
import Foundation

extension CurlTransport {
    /// Settings of a ``CurlTransport``.
    ///
    /// Times are in seconds. A negative or non-finite time, and a setting that the installed
    /// libcurl does not support, make the transport's initializer throw a ``ConfigurationError``.
    public struct Configuration: Sendable {
        /// HTTP versions that the transport uses.
        public enum HTTPVersion: Sendable, Equatable {
            /// HTTP/2 over TLS where the server offers it in ALPN, HTTP/1.1 otherwise.
            case automatic
            /// HTTP/1.1 only.
            case http1
            /// HTTP/2 with prior knowledge (RFC 9113, section 3.3). For `http` URLs, libcurl before
            /// 8.0 opens a connection for each request. For `https` URLs the version is still
            /// negotiated, so the server may choose HTTP/1.1.
            case http2PriorKnowledge
            /// HTTP/3 over TLS (RFC 9114), with a fallback to HTTP/2 or HTTP/1.1 when HTTP/3 fails
            /// or takes longer than ``Network/happyEyeballsTimeout``. Needs a libcurl built with
            /// HTTP/3. Before libcurl 8.17 the fallback requires TLS 1.3 as well.
            case http3
            /// HTTP/3 only, and therefore `https` URLs only. Needs libcurl 7.88 or later, built
            /// with HTTP/3. Requests that would use a proxy of the environment fail.
            case http3Only
        }

        // MARK: Protocol

        /// HTTP versions that requests use. The default is ``HTTPVersion/automatic``.
        public var httpVersion = HTTPVersion.automatic
        /// The `User-Agent` field of requests that have none.
        public var userAgent = "Moya libcurl"
        /// The largest size of a decompressed response body, in bytes. A larger body fails the
        /// request with `URLError(.dataLengthExceedsMaximum)`. With `nil`, the limit is the
        /// request's own limit for bodies in memory; a body in a file has no limit.
        public var maxDecompressedSize: Int64?
        /// How long a request with `Expect: 100-continue` waits for the server's interim response
        /// before it sends its body anyway, in seconds (RFC 9110, section 10.1.1). 0 does not wait.
        /// The transport sets the field itself for a request with a credential and a body, while it
        /// is unknown whether the server requires the credential.
        public var expectContinueTimeout: TimeInterval = 1
        /// Authentication schemes for a request with a credential.
        public var authentication: Authentication = [.basic, .digest]
        /// Where cookies are stored between requests. The default stores none.
        public var cookies = Cookies.none

        // MARK: TLS

        /// TLS settings: trusted certificates, versions, client identity and pinned keys.
        public var tls = TLS()

        // MARK: Time

        // For each of these, 0 means no timeout. A negative or non-finite value is a
        // `ConfigurationError`.

        /// Timeout for opening a connection, TLS handshake included, in seconds. With 0 only the
        /// request's `timeoutInterval` applies.
        public var connectTimeout: TimeInterval = 30
        /// Timeout for a whole exchange, redirects included, in seconds. With `nil` or 0 only the
        /// request's `timeoutInterval` applies, which is an idle timeout.
        public var exchangeTimeout: TimeInterval?
        /// Timeout for the first byte of the response, in seconds, counted from when the exchange
        /// has a connection or begins to open one. Over HTTP/2 and HTTP/3, the time in which a
        /// connection is opened for another request counts too. With `nil` or 0 only the request's
        /// `timeoutInterval` applies.
        public var firstByteTimeout: TimeInterval?
        /// The minimum transfer rate. With `nil` only the request's `timeoutInterval` applies.
        public var minimumSpeed: Speed?
        /// Timeout for a request that waits for a free connection because of a connection limit, in
        /// seconds. With `nil` or 0 it waits until its task is cancelled. Over HTTP/2 and HTTP/3
        /// requests share connections: a request that waits for a connection that is being opened
        /// for another request is limited by its own `timeoutInterval`.
        public var connectionWaitTimeout: TimeInterval?

        // MARK: Connections

        /// The largest number of open connections to one host. Further requests wait. While they
        /// wait, only ``connectionWaitTimeout`` and ``exchangeTimeout`` apply. 0 means no limit.
        ///
        /// The default limit is 64 for each thread. Setting a limit makes the transport use one
        /// thread, because the limit applies to all requests together. Over HTTP/1.1 an unread
        /// stream and a long poll each occupy a connection: raise the limit for hosts with many of
        /// them. Over HTTP/2 and HTTP/3 requests share connections. With ``Network/dnsOverHTTPS``
        /// the limit may be exceeded over HTTP/2, when a shared connection has no free stream.
        public var maxConnectionsPerHost: Int {
            get { ownMaxConnectionsPerHost ?? Self.defaultMaxConnectionsPerHost }
            set { ownMaxConnectionsPerHost = newValue }
        }
        /// The default for ``maxConnectionsPerHost``, for each thread. The number keeps a thread
        /// busy with a nearby server, while a burst of requests does not open thousands of
        /// connections.
        static let defaultMaxConnectionsPerHost = 64
        /// The limit that was set. `nil` if the default applies.
        var ownMaxConnectionsPerHost: Int?
        /// The largest number of open connections to all hosts. Further requests wait, and hosts
        /// take turns: in its turn, a host may use a connection for several requests that begin
        /// within 100 milliseconds. 0 means as many as the descriptor limit allows. With
        /// ``Network/dnsOverHTTPS`` the limit may be exceeded: by up to 16 connections for lookups,
        /// and by requests that found no connection to share.
        public var maxConnections = 0
        /// The largest number of idle connections kept for reuse. With 0 or less each connection is
        /// closed after its request.
        public var maxIdleConnections = 256
        /// How long an idle connection is kept, in seconds. It is closed at most two seconds later.
        public var idleTimeout: TimeInterval = 118
        /// TCP keep-alive probes. `nil` sends none.
        public var keepAlive: KeepAlive? = KeepAlive()
        /// The number of threads that carry requests, from 1 to 64. The first thread takes requests
        /// while it has fewer than 64, and further threads take the rest, each with its own
        /// connections. Cookies and connection limits need a single thread, so with either there is
        /// only one.
        public var threads = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        /// Name resolution, addresses and network interfaces.
        public var network = Network()
        /// The proxy for requests. The default is ``Proxy/none``.
        public var proxy = Proxy.none

        /// The default configuration: HTTP/2 where a server offers it, the system's trusted
        /// certificates, no proxy and no cookies.
        public init() {}
    }

    /// The reason why a configuration is invalid, or not supported by the installed libcurl.
    public struct ConfigurationError: Error, LocalizedError, CustomStringConvertible {
        /// The setting at fault, and how to correct it.
        public let description: String
        /// The same text as `description`.
        public var errorDescription: String? { description }

        init(_ description: String) { self.description = description }
    }
}

extension CurlTransport.Configuration {
    /// Authentication schemes that answer a server's challenge. libcurl uses the strongest that the
    /// server offers.
    public struct Authentication: OptionSet, Sendable {
        /// The bits of the schemes.
        public let rawValue: Int

        /// Creates a set from the bits of its schemes.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Basic (RFC 7617).
        public static let basic = Authentication(rawValue: 1 << 0)
        /// Digest (RFC 7616).
        public static let digest = Authentication(rawValue: 1 << 1)
        /// Negotiate (RFC 4559), with the user's Kerberos ticket. Needs a libcurl built with
        /// GSS-API.
        public static let negotiate = Authentication(rawValue: 1 << 2)
    }

    /// A minimum transfer rate.
    public struct Speed: Sendable, Equatable {
        /// Bytes per second, averaged over the last few seconds, both directions. 0 or less means
        /// no minimum.
        public var bytesPerSecond: Int
        /// How long the rate may be below the minimum, in seconds, at least 1. Rounded up to whole
        /// seconds.
        public var duration: TimeInterval

        /// Creates a minimum transfer rate. A transfer that stays below it for `duration` seconds
        /// fails with `URLError(.timedOut)`. The rate is checked once a second. Time in which the
        /// client does not read, or has nothing to send, does not count.
        public init(bytesPerSecond: Int, duration: TimeInterval) {
            self.bytesPerSecond = bytesPerSecond
            self.duration = duration
        }
    }

    /// TCP's keep-alive probes (RFC 9293, section 3.8.4).
    public struct KeepAlive: Sendable, Equatable {
        /// Idle time before the first probe, in whole seconds from 1 to 32,767.
        public var idle: TimeInterval
        /// Time between two probes, in whole seconds from 1 to 32,767.
        public var interval: TimeInterval

        /// Creates probe settings. By default the first probe follows a minute without traffic, and
        /// the next ones a minute apart.
        public init(idle: TimeInterval = 60, interval: TimeInterval = 60) {
            self.idle = idle
            self.interval = interval
        }
    }

    /// Where cookies are stored (RFC 6265).
    ///
    /// A request's own `Cookie` field is sent together with the stored cookies. A request whose
    /// `httpShouldHandleCookies` is `false` sends no stored cookies and stores none, and neither do
    /// its redirects. The same applies to a request with its own `Host` field, because libcurl
    /// would use that host for its cookies. A libcurl with a public suffix list, as most builds
    /// have, refuses cookies for a whole public suffix (`Domain=co.uk`); other builds store them.
    /// At most 3,000 cookies are kept: beyond that, the site with the most cookies loses its
    /// oldest.
    public enum Cookies: Sendable, Equatable {
        /// Stores no cookies. Requests send only their own `Cookie` field.
        case none
        /// In memory, until the transport shuts down.
        case memory
        /// In this file, in Netscape's format, including session cookies. The file is read when the
        /// transport is created, if it exists. It is written by ``CurlTransport/saveCookies()`` and
        /// when the transport shuts down. A file that cannot be read, or has lines that are neither
        /// cookies nor comments, is a ``CurlTransport/ConfigurationError`` and stays unchanged.
        case file(URL)
    }
}

/// A configuration's timeouts, as the loop compares them. Reading them from the configuration would
/// copy it, which takes a hundredth of a request.
struct TimeLimits {
    /// The timeout of the whole exchange, in seconds. Infinite if there is none.
    let exchange: TimeInterval
    /// The timeout of the first byte. `nil` if there is none.
    let firstByte: (seconds: TimeInterval, nanoseconds: UInt64)?
    private let connectionWait: UInt64?

    init(_ configuration: CurlTransport.Configuration) {
        exchange = configuration.exchangeTimeout ?? .infinity
        firstByte = configuration.firstByteTimeout.flatMap { seconds in
            LoopClock.nanoseconds(seconds).map { (seconds, $0) }
        }
        connectionWait = configuration.connectionWaitTimeout.flatMap(LoopClock.nanoseconds)
    }

    /// When a wait for a connection that began at `since` times out. `.max` if it does not.
    func waitEnd(since: UInt64) -> UInt64 { connectionWait.map { since &+ $0 } ?? .max }
}
#endif
