#if CURL
import Foundation

extension CurlTransport {
    /// How a ``CurlTransport`` connects.
    ///
    /// Times are in seconds. One that is negative or not finite fails the making of a transport with a
    /// ``ConfigurationError``, and so does what the installed libcurl cannot do.
    public struct Configuration: Sendable {
        /// Which protocol versions are spoken.
        public enum HTTPVersion: Sendable, Equatable {
            /// HTTP/2 over TLS where the server offers it (ALPN), HTTP/1.1 otherwise.
            case automatic
            /// HTTP/1.1 alone.
            case http1
            /// HTTP/2 without asking (RFC 9113, section 3.3). In the clear, libcurl before 8.0 has to make a connection
            /// for each request. Over TLS the server is asked all the same, and may choose HTTP/1.1 instead.
            case http2PriorKnowledge
            /// HTTP/3 over TLS (RFC 9114), and HTTP/2 or HTTP/1.1 where that fails or takes longer than
            /// ``Network/happyEyeballsTimeout``. Needs a libcurl that has it. Before 8.17, that speaks nothing older
            /// than TLS 1.3 in its place either.
            case http3
            /// HTTP/3 alone, and so TLS alone. Needs a libcurl that has it, of 7.88 or later. A proxy that the
            /// environment names is an error of each request that would take it.
            case http3Only
        }

        // MARK: Protocol

        /// Which protocol versions are spoken.
        public var httpVersion = HTTPVersion.automatic
        /// The `User-Agent` of requests that have none.
        public var userAgent = "Moya libcurl"
        /// The most bytes a compressed response may have once it is expanded. `nil` leaves it to what the
        /// request says about memory, and to the disk. One more fails the exchange with
        /// `URLError(.dataLengthExceedsMaximum)`.
        public var maxDecompressedSize: Int64?
        /// How long a request with `Expect: 100-continue` waits for the server to agree before it sends its
        /// body all the same, in seconds (RFC 9110, section 10.1.1). 0 does not wait.
        public var expectContinueTimeout: TimeInterval = 1
        /// How a server's challenge may be answered, where a request has a credential.
        public var authentication: Authentication = [.basic, .digest]
        /// Where cookies are kept from one request to the next.
        public var cookies = Cookies.none

        // MARK: TLS

        /// What is asked of a server before it is trusted, and what it is told.
        public var tls = TLS()

        // MARK: Time

        // 0 is no bound for any of these. Less, and what is no number, is a `ConfigurationError`.

        /// How long connecting may take, TLS included, in seconds. 0 leaves it to the request's `timeoutInterval`.
        public var connectTimeout: TimeInterval = 30
        /// How long a whole exchange may take, redirects included, in seconds. `nil` or 0 leaves it to the
        /// request's `timeoutInterval`, which bounds how long nothing may move.
        public var exchangeTimeout: TimeInterval?
        /// How long the server may take to begin its answer, in seconds, from when the exchange has a
        /// connection or begins to make one. `nil` or 0 leaves it to the request's `timeoutInterval`.
        public var firstByteTimeout: TimeInterval?
        /// How slow a transfer may get before it fails. `nil` is no bound but `timeoutInterval`.
        public var minimumSpeed: Speed?
        /// How long a request may wait for a connection where their number is limited, in seconds. `nil`
        /// or 0 is for as long as its task. Over HTTP/2 and 3 requests share connections: one that waits for its turn on
        /// a connection is bounded by its `timeoutInterval`.
        public var connectionWaitTimeout: TimeInterval?

        // MARK: Connections

        /// How many connections may be open to one host. Further requests wait: that is no silence of the server, and no
        /// timeout counts but ``connectionWaitTimeout`` and ``exchangeTimeout``. 0 is no limit.
        ///
        /// Unless it is set, it is ``defaultMaxConnectionsPerHost`` for each thread. A limit that is set counts for all threads
        /// together, and so needs one. Streams that are not read to their end, and long polls, hold their connections over
        /// HTTP/1.1: raise the limit where there may be many. Over HTTP/2 and 3 requests share connections. With
        /// ``Network/dnsOverHTTPS`` there may be more over HTTP/2, where one has no room for all that is to share it.
        public var maxConnectionsPerHost: Int {
            get { ownMaxConnectionsPerHost ?? Self.defaultMaxConnectionsPerHost }
            set { ownMaxConnectionsPerHost = newValue }
        }
        /// How many connections each thread may open to one host unless ``maxConnectionsPerHost`` is set: enough to keep the
        /// thread busy with a server nearby, and few enough that a burst of requests does not open thousands.
        public static let defaultMaxConnectionsPerHost = 64
        /// `nil` where the default counts.
        var ownMaxConnectionsPerHost: Int?
        /// How many connections may be open in all. Further requests wait, and hosts take turns: in its turn, a host may use a
        /// connection for several requests, which begin within a tenth of a second. 0 is as many as the process may
        /// have. With ``Network/dnsOverHTTPS`` there may be some more: up to 16 over which names are asked for, and those
        /// of requests that have not found one to share.
        public var maxConnections = 0
        /// How many idle connections are kept for reuse. 0 or less closes each after its request.
        public var maxIdleConnections = 256
        /// How long an idle connection is kept, in seconds. One that is older is closed within two seconds.
        public var idleTimeout: TimeInterval = 118
        /// When the system asks whether the peer of a silent connection is still there. `nil` is never.
        public var keepAlive: KeepAlive? = KeepAlive()
        /// How many threads carry requests, from 1 to 64. The first takes what it can serve well, and the others
        /// what is beyond that, each with connections of its own. Limits on connections, and cookies, need one:
        /// with them there is no other.
        public var threads = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        /// Where names lead to, and by which way.
        public var network = Network()
        /// The proxy that requests go through.
        public var proxy = Proxy.none

        /// HTTP/2 where a server offers it, with the certificates that the system trusts, and neither proxy nor
        /// cookies.
        public init() {}
    }

    /// Why a configuration cannot be had with the libcurl that is installed.
    public struct ConfigurationError: Error, LocalizedError, CustomStringConvertible {
        /// What cannot be had, and what to do.
        public let description: String
        public var errorDescription: String? { description }

        init(_ description: String) { self.description = description }
    }
}

extension CurlTransport.Configuration {
    /// Ways to answer a challenge. The strongest that the server offers is used.
    public struct Authentication: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// RFC 7617.
        public static let basic = Authentication(rawValue: 1 << 0)
        /// RFC 7616.
        public static let digest = Authentication(rawValue: 1 << 1)
        /// RFC 4559, with the user's Kerberos ticket. Needs a libcurl that has GSS-API.
        public static let negotiate = Authentication(rawValue: 1 << 2)
    }

    /// A lower bound on how fast a transfer has to be.
    public struct Speed: Sendable, Equatable {
        /// Bytes a second, as sent and received over the last few seconds. 0 or less is no bound.
        public var bytesPerSecond: Int
        /// Seconds, at least 1. Fractions are rounded up.
        public var duration: TimeInterval

        /// The transfer fails with `URLError(.timedOut)` once it has been slower than this for all of `duration` seconds.
        /// It is looked at once in a second. The time in which this side does not read, or has nothing to send, does
        /// not count.
        public init(bytesPerSecond: Int, duration: TimeInterval) {
            self.bytesPerSecond = bytesPerSecond
            self.duration = duration
        }
    }

    /// TCP's keep-alive probes (RFC 9293, section 3.8.4).
    public struct KeepAlive: Sendable, Equatable {
        /// Seconds of silence before the first probe: whole ones, from 1 to 32,767.
        public var idle: TimeInterval
        /// Seconds between two probes: whole ones, from 1 to 32,767.
        public var interval: TimeInterval

        /// A probe after a minute of silence, and each minute from then on, unless you say otherwise.
        public init(idle: TimeInterval = 60, interval: TimeInterval = 60) {
            self.idle = idle
            self.interval = interval
        }
    }

    /// Where cookies are kept (RFC 6265).
    ///
    /// A request's own `Cookie` field goes along with those that are kept. A request whose `httpShouldHandleCookies` is
    /// `false` neither gets any nor has any kept, and nor do the redirects that it follows. The same goes for one with a
    /// `Host` field of its own: libcurl would take them for that host's. Cookies for a whole public suffix
    /// (`Domain=co.uk`) are refused by a libcurl that has the list of them, as most have, and kept by one that has not.
    /// Beyond some 3,000 cookies, the site that has the most of them loses its oldest.
    public enum Cookies: Sendable, Equatable {
        /// Nowhere. Requests send the `Cookie` field they have, and no more.
        case none
        /// In memory, until the transport goes.
        case memory
        /// In this file, in Netscape's format, those of the session as well. It is read at the start, if it
        /// exists, and written by ``CurlTransport/saveCookies()`` and when the transport goes. One that cannot be read,
        /// or holds anything but cookies and remarks, is a ``CurlTransport/ConfigurationError``, and stays as it is.
        case file(URL)
    }
}
#endif
