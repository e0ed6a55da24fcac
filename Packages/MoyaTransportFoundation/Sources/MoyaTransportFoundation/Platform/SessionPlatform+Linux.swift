#if !canImport(Security)
    import Foundation
    import FoundationNetworking
    import MoyaCore

    /// URLSession behaviour that is specific to Linux.
    struct SessionPlatform: Sendable {
        /// Memory that URLSession uses for each piece of a body until it has delivered all received
        /// pieces, in bytes.
        static let bytesPerPiece = 336

        let isInBackground = false
        /// Whether URLSession applies the session's timeout to requests with the default timeout.
        /// The exchange implements the same timeout for these.
        let hasOwnTimeout = true
        private var cookies: SessionCookies?

        init() {}

        /// - Throws: ``FoundationTransport/ConfigurationError`` for options that URLSession ignores
        ///   on Linux, or that make it end the process.
        init(
            _ configuration: FoundationTransport.Configuration
        ) throws(FoundationTransport.ConfigurationError) {
            cookies = configuration.cookies.map { SessionCookies(storage: $0) }
            let hasOwnTrust = if case .system = configuration.trust { false } else { true }
            try Self.refuse(
                if: hasOwnTrust, "cannot trust custom certificates",
                "Use CurlTransport and its tls.trust, or add them to the system's certificates.")
            try Self.refuse(
                if: configuration.minimumTLSVersion != nil, "cannot set a minimum TLS version",
                "Use CurlTransport and its tls.minimumVersion.")
            try Self.refuse(
                if: configuration.clientCertificate != nil, "cannot send a client certificate",
                "Use CurlTransport and its tls.identity.")
            try Self.refuse(
                if: configuration.assumesHTTP3, "does not support HTTP/3",
                "Use CurlTransport and its httpVersion.")
            try Self.refuse(
                if: configuration.backgroundIdentifier != nil, "has no background sessions",
                "Leave out backgroundIdentifier: Linux does not suspend processes.")
            try Self.refuseProxy(if: configuration.proxy != .system)
            try Self.refuse(
                if: configuration.cache != nil, "does not support URLCache",
                "Add the layer .caching(in:) instead.")
            try Self.refuse(
                if: configuration.waitsForConnectivity, "cannot wait for a network connection",
                "Add the layer .retrying() instead.")
        }

        /// - Throws: ``FoundationTransport/ConfigurationError`` for options that URLSession ignores
        ///   on Linux.
        init(
            checking configuration: URLSessionConfiguration, manager: ServerTrustManager? = nil
        ) throws(FoundationTransport.ConfigurationError) {
            try Self.refuse(
                if: manager != nil, "does not expose server certificates",
                "Use CurlTransport, whose tls.serverTrustManager takes the same evaluators.")
            cookies = configuration.httpCookieStorage.map {
                SessionCookies(
                    storage: $0, sendsCookies: configuration.httpShouldSetCookies,
                    storesCookies: configuration.httpCookieAcceptPolicy != .never)
            }
            try Self.refuseProxy(if: configuration.connectionProxyDictionary?.isEmpty == false)
            let known = (URLSessionConfiguration.default.protocolClasses ?? [])
                .map { ObjectIdentifier($0) }
            let isKnown = configuration.protocolClasses?.allSatisfy { known.contains(.init($0)) }
            try Self.refuse(
                if: isKnown == false, "does not pass http requests to a URLProtocol",
                "Stub the provider or its transport instead.")
        }

        private static func refuse(
            if isSet: Bool, _ what: String, _ instead: String
        ) throws(FoundationTransport.ConfigurationError) {
            guard isSet else { return }
            throw .init(description: "URLSession on this platform \(what). \(instead)")
        }

        private static func refuseProxy(
            if isSet: Bool
        ) throws(FoundationTransport.ConfigurationError) {
            try refuse(
                if: isSet, "cannot be configured with a proxy",
                "Use CurlTransport and its proxy, or set http_proxy in the environment.")
        }

        func makeSessionConfiguration() -> URLSessionConfiguration { .ephemeral }

        func configure(
            _ session: URLSessionConfiguration, as configuration: FoundationTransport.Configuration
        ) {
            adapt(session)
        }

        /// Returns `false`: with a delegate, URLSession on Linux answers no request from a cache.
        func hasCache(_ session: URLSessionConfiguration) -> Bool { false }

        func adapt(_ session: URLSessionConfiguration) {
            // SessionCookies handles cookies instead.
            session.httpCookieStorage = nil
            session.httpShouldSetCookies = false
            // Answering a challenge from the storage ends the process.
            session.urlCredentialStorage = nil
            session.httpMaximumConnectionsPerHost = min(
                session.httpMaximumConnectionsPerHost, Self.mostConnections)
        }

        /// A quarter of the process's file descriptor limit. The other descriptors are left for
        /// name resolution, which briefly uses three per connection, and for the rest of the
        /// process.
        private static var mostConnections: Int {
            var limit = rlimit()
            #if canImport(Glibc)
                let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #else
                let result = getrlimit(RLIMIT_NOFILE, &limit)
            #endif
            return result == 0 ? max(1, Int(clamping: limit.rlim_cur) / 4) : .max
        }

        /// - Throws: `URLError(.dataLengthExceedsMaximum)` for a request that would never be sent.
        func adapt(_ request: inout URLRequest) throws(URLError) {
            // URLSession on Linux compares the scheme case-sensitively.
            if let url = request.url, let scheme = url.scheme, scheme != scheme.lowercased(),
                var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
            {
                components.scheme = scheme.lowercased()
                request.url = components.url
            }
            // If the server rejected the expectation, libcurl would repeat the request without it,
            // and URLSession would receive two responses.
            if request.value(forHTTPHeaderField: "Expect") != nil {
                request.setValue(nil, forHTTPHeaderField: "Expect")
            }
            if let cookies, request.httpShouldHandleCookies, let url = request.url,
                request.value(forHTTPHeaderField: "Cookie") == nil,
                let field = cookies.field(for: url)
            {
                request.setValue(field, forHTTPHeaderField: "Cookie")
            }
            try checkHead(of: request)
        }

        /// Length of a request's head that libcurl 7.88 sends over TLS, without the fields that
        /// URLSession adds, in bytes. Of a longer head it sends two buffers, and then waits
        /// forever.
        private static let longestHead = 120 << 10

        private func checkHead(of request: URLRequest) throws(URLError) {
            guard request.url?.isSecure == true else { return }
            let fields = request.allHTTPHeaderFields ?? [:]
            let length = fields.reduce(request.url?.absoluteString.utf8.count ?? 0) {
                $0 + $1.key.utf8.count + $1.value.utf8.count + ": \r\n".utf8.count
            }
            guard length > Self.longestHead else { return }
            throw URLError(
                .dataLengthExceedsMaximum,
                "The request's header fields have \(length) bytes. Over TLS, URLSession on this "
                    + "platform sends at most \(Self.longestHead). Use CurlTransport.",
                url: request.url)
        }

        func keepCookies(of response: HTTPURLResponse, to request: URLRequest) {
            guard response.statusCode >= 200, request.httpShouldHandleCookies, let url = request.url
            else { return }
            cookies?.keep(response.value(forHTTPHeaderField: "Set-Cookie") ?? "", from: url)
        }

        /// - Throws: `URLError(.badServerResponse)` for invalid responses that URLSession on Linux
        ///   accepts.
        func check(_ response: HTTPURLResponse, to request: URLRequest) throws(URLError) {
            func refuse(_ reason: String) -> URLError {
                URLError(.badServerResponse, reason, url: request.url)
            }
            let status = response.statusCode
            if status == 101 {
                throw refuse("The server switched protocols (101) without a request for it.")
            }
            // URLSession has joined several Location fields with a comma and a space.
            if Redirect.isRedirect(status),
                response.value(forHTTPHeaderField: "Location")?.contains(", ") == true
            {
                throw refuse("The server redirected with more than one Location.")
            }
            // Other responses have no body.
            guard status >= 200, status != 204, status != 304, request.httpMethod != "HEAD"
            else { return }
            if let length = response.value(forHTTPHeaderField: "Content-Length"),
                !Self.isOneLength(length)
            {
                throw refuse("The Content-Length is invalid, or has two different values.")
            }
            // libcurl decodes `chunked` once (RFC 9112, section 6.1).
            let codings = response.value(forHTTPHeaderField: "Transfer-Encoding") ?? ""
            let names = codings.split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            if names.count(where: { $0 == "chunked" }) > 1 {
                throw refuse("The Transfer-Encoding has chunked more than once.")
            }
        }

        /// Whether `value` is a valid length, or a list of equal valid lengths (RFC 9112, section
        /// 6.3).
        private static func isOneLength(_ value: String) -> Bool {
            let lengths = Set(
                value.split(separator: ",", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) })
            guard let length = lengths.first, lengths.count == 1 else { return false }
            return Int64(length) != nil && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }

        /// Invalidates the session after its tasks have ended. All tasks have been cancelled or
        /// left to end. `invalidateAndCancel()` would also cancel tasks whose redirect has been
        /// answered.
        func invalidate(_ session: URLSession) { session.finishTasksAndInvalidate() }

        func makeBackgroundTask(
            _ request: URLRequest, _ body: RequestBody, on session: URLSession
        ) -> URLSessionTask? { nil }

        func makeDelegateQueue() -> OperationQueue? {
            DirectQueue()
        }

        /// Returns `nil`: on Linux, suspending a task restarts it.
        func makeSuspend(for task: URLSessionTask) -> (@Sendable (Bool) -> Void)? { nil }
    }
#endif
