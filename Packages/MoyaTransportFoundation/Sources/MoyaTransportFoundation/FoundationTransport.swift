import Foundation
import MoyaCore

/// Carries requests over URLSession.
///
/// Redirects, Basic and Digest authentication, time and limits are treated here and not by URLSession, so that they are
/// the same on every platform and the same as with the other transports. It keeps no credentials, and cookies
/// or a cache only where its configuration has some. Share one transport between providers; it is safe to use
/// from any thread.
///
/// - Important: On Linux, use it with servers you trust alone. URLSession ends the process there on some responses, which
///   the README lists. CurlTransport is the default transport on Linux, and has no such responses.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: FoundationTransport())
/// ```
public final class FoundationTransport: Transport {
    /// What is treated here of a session's configuration.
    struct Options: Sendable {
        var additionalHeaders: [String: String] = [:]
        var exchangeTimeout: TimeInterval?
        /// The `timeoutInterval` of requests that have URLRequest's own.
        var timeout = URLRequest.defaultTimeoutInterval
        var streamBacklogLimit = Configuration().streamBacklogLimit
        var isInBackground = false
        /// Whether the session answers from a cache.
        var hasCache = false
    }

    let delegate: SessionDelegate
    let options: Options
    let nonces = DigestNonces()

    /// A transport that connects as `configuration` says.
    ///
    /// - Throws: ``ConfigurationError`` for what URLSession cannot do on this platform.
    public convenience init(configuration: Configuration) throws {
        try configuration.validate()
        self.init(configuration, try SessionPlatform(configuration))
    }

    /// A transport with the default configuration.
    public convenience init() {
        self.init(Configuration(), SessionPlatform())
    }

    private convenience init(_ configuration: Configuration, _ platform: SessionPlatform) {
        let session = platform.makeSessionConfiguration()
        configuration.apply(to: session)
        platform.configure(session, as: configuration)
        self.init(
            session,
            Options(
                additionalHeaders: configuration.additionalHeaders,
                exchangeTimeout: configuration.exchangeTimeout,
                streamBacklogLimit: configuration.streamBacklogLimit,
                isInBackground: platform.isInBackground),
            platform)
    }

    init(_ configuration: URLSessionConfiguration, _ options: Options, _ platform: SessionPlatform)
    {
        var options = options
        // Setting a field of each request costs more than URLSession's own way, which sends them to any host.
        let (common, bound) = options.additionalHeaders.split { Self.isForAnyHost($0) }
        configuration.httpAdditionalHeaders = common
        options.additionalHeaders = bound
        options.hasCache = platform.hasCache(configuration)
        self.options = options
        // Time is looked after here.
        configuration.timeoutIntervalForRequest = SessionDelegate.longestTimeout
        delegate = SessionDelegate(platform)
        delegate.open(
            URLSession(
                configuration: configuration, delegate: delegate,
                delegateQueue: platform.makeDelegateQueue()))
    }

    /// Whether a header field is about this program alone, and no matter between it and one server.
    private static func isForAnyHost(_ name: String) -> Bool {
        ["accept-encoding", "accept-language", "user-agent"].contains(name.lowercased())
    }

    deinit { shutdown() }

    /// Cancels every exchange and closes every connection. Requests made later fail with
    /// `URLError(.cancelled)`. Later calls do nothing.
    public func shutdown() {
        delegate.close()
    }

    /// Cancels every exchange that is under way, and what would follow on it. Requests made later are sent.
    func cancelAll() {
        delegate.cancelAll()
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let context = SendContext(
            deadline: Deadline(options.exchangeTimeout), round: delegate.round)
        return try await preparing(request).followingRedirects { request in
            try await sending(request, context)
        }
    }
}

extension [String: String] {
    fileprivate func split(_ isFirst: (String) -> Bool) -> ([String: String], [String: String]) {
        (filter { isFirst($0.key) }, filter { !isFirst($0.key) })
    }
}
