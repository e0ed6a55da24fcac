import Foundation
import MoyaCore
import MoyaInternals

/// Transport that sends requests with URLSession.
///
/// Redirects, Basic and Digest authentication, timeouts and limits are implemented here instead of
/// in URLSession, so that they behave like in the other transports on every platform. The transport
/// stores no credentials. It stores cookies and cached responses only if its configuration contains
/// a storage. A transport can be shared between providers and used from any thread.
///
/// - Important: On Linux, use this transport only with trusted servers: URLSession ends the process
///   on some responses, which the README lists. `CurlTransport`, the default transport on Linux, is
///   not affected.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: FoundationTransport())
/// ```
public final class FoundationTransport: ClosableTransport {
    /// Options that this transport applies instead of URLSession.
    struct Options: Sendable {
        var additionalHeaders: [String: String] = [:]
        /// Timeout of the whole exchange, in seconds. `nil` for none.
        var exchangeTimeout: TimeInterval?
        /// Timeout, in seconds, for requests that have URLRequest's default `timeoutInterval`.
        var timeout = URLRequest.defaultTimeoutInterval
        var streamBacklogLimit = Configuration().streamBacklogLimit
        var isInBackground = false
        /// Whether the session answers requests from a cache.
        var hasCache = false
    }

    let delegate: SessionDelegate
    let options: Options
    let authentications = AuthenticationCache()
    /// The additional header fields of the configuration.
    public let sessionHeaders: [String: String]

    /// Creates a transport with the given configuration.
    ///
    /// - Throws: ``ConfigurationError`` for options that URLSession does not support on this
    ///   platform.
    public convenience init(configuration: Configuration) throws {
        try configuration.validate()
        self.init(configuration, try SessionPlatform(configuration))
    }

    /// Creates a transport with the default configuration.
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
                additionalHeaders: FieldNames.unique(configuration.additionalHeaders)
                    ?? configuration.additionalHeaders,
                exchangeTimeout: configuration.exchangeTimeout,
                streamBacklogLimit: configuration.streamBacklogLimit,
                isInBackground: platform.isInBackground),
            platform)
    }

    init(_ configuration: URLSessionConfiguration, _ options: Options, _ platform: SessionPlatform)
    {
        var options = options
        // These fields may be sent to any host. URLSession adds them faster than setting them for
        // each request.
        let headers = options.additionalHeaders
        sessionHeaders = headers
        configuration.httpAdditionalHeaders = headers.filter { Self.isForAnyHost($0.key) }
        options.additionalHeaders = headers.filter { !Self.isForAnyHost($0.key) }
        options.hasCache = platform.hasCache(configuration)
        self.options = options
        // The exchange implements timeouts itself, so the session's timeout is as long as possible.
        configuration.timeoutIntervalForRequest = SessionDelegate.longestTimeout
        delegate = SessionDelegate(platform)
        delegate.open(
            URLSession(
                configuration: configuration, delegate: delegate,
                delegateQueue: platform.makeDelegateQueue()))
    }

    /// Whether a header field describes this program only, and may be sent to any host.
    private static func isForAnyHost(_ name: String) -> Bool {
        ["accept-encoding", "accept-language", "user-agent"].contains(name.lowercased())
    }

    deinit { shutdown() }

    /// Cancels all exchanges and closes all connections. Later requests fail with
    /// `URLError(.cancelled)`. Further calls have no effect.
    public func shutdown() {
        delegate.close()
    }

    /// Cancels all exchanges in progress, including their redirects and repetitions. Later requests
    /// are sent.
    func cancelAll() {
        delegate.cancelAll()
    }

    /// Sends a request, and follows redirects and answers authentication challenges according to
    /// the request.
    ///
    /// - Throws: `RequestError` for an invalid request; `URLError`; errors of a streamed request
    ///   body.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let context = SendContext(
            deadline: Deadline(options.exchangeTimeout, request.deadline), round: delegate.round)
        return try await preparing(request).followingRedirects { request in
            try await sending(request, context)
        }
    }
}
