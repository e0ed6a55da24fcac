#if CURL
import MoyaCore

/// A transport that sends requests with libcurl.
///
/// Requests share a small, fixed number of threads (``Configuration/threads``) and a connection
/// pool, so share one transport between providers. It may be used from any thread.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport())
/// ```
///
/// The request's `timeoutInterval` is an idle timeout in seconds, as for `URLSession`. While a
/// request body is sent, progress means bytes acknowledged by the server on Linux, and bytes
/// accepted by the system elsewhere.
///
/// Response bodies are decompressed, unless the request has its own `Accept-Encoding` or a `Range`
/// field. A range counts the encoded bytes (RFC 9110, section 14.1.2), so such requests ask for the
/// `identity` coding. A compressed body that is cut off is an error. A response with an unknown
/// `Content-Encoding`, such as `aws-chunked`, fails with `URLError(.cannotDecodeContentData)`; to
/// get its encoded bytes, set `Accept-Encoding` on the request, for example to `identity`.
///
/// A forked child process must not use its parent's transport. The transport installs no signal
/// handler. It blocks `SIGPIPE` on its own threads, so that a closed connection cannot end the
/// process.
public final class CurlTransport: ClosableTransport {
    let configuration: Configuration
    let exchanges = ExchangeCount()
    /// What servers require of requests with a credential. libcurl answers Negotiate only: its
    /// Basic and Digest keep no challenge between requests, and send the body before the server's
    /// challenge.
    private let authentications: AuthenticationCache
    private let loops: Result<LoopGroup, any Error>

    /// Creates a transport with `configuration`.
    ///
    /// - Throws: ``ConfigurationError`` if the configuration is invalid or the installed libcurl
    ///   does not support it.
    public convenience init(configuration: Configuration) throws {
        try self.init(configuration: configuration, options: OptionCheck())
    }

    /// Creates a transport that checks each option it sets with `options`.
    init(configuration: Configuration, options: OptionCheck) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        authentications = Self.makeCache(configuration)
        loops = Result { try Self.makeLoops(configuration, options) }
    }

    /// Creates a transport with the default configuration.
    ///
    /// Does not throw. If the process has no file descriptor or thread left for it, every request
    /// fails with that error.
    public init() {
        let configuration = Configuration()
        self.configuration = configuration
        authentications = Self.makeCache(configuration)
        loops = Result {
            try configuration.validate()
            return try Self.makeLoops(configuration, OptionCheck())
        }
    }

    private static func makeLoops(
        _ configuration: Configuration, _ options: OptionCheck
    ) throws -> LoopGroup {
        try LoopGroup(configuration) { try CurlLoop($0, shareOf: $1, options: options) }
    }

    private static func makeCache(_ configuration: Configuration) -> AuthenticationCache {
        let kinds = configuration.authentication
        var schemes: AuthenticationCache.Schemes = []
        if kinds.contains(.basic) { schemes.insert(.basic) }
        if kinds.contains(.digest) { schemes.insert(.digest) }
        return AuthenticationCache(schemes: schemes, asksFirst: !kinds.isEmpty)
    }

    deinit { shutdown() }

    /// Cancels every request and ends the transport's threads, which save the cookies and close
    /// every connection. Returns at once; ``shutdown(draining:)`` waits. Later requests fail with
    /// `URLError(.cancelled)`, and later calls do nothing.
    public func shutdown() { if case .success(let loops) = loops { loops.stop() } }

    /// Rejects new requests with `URLError(.cancelled)`, waits for the ones in progress, and then
    /// shuts down like ``shutdown()``.
    ///
    /// Requests in progress include requests that wait for a connection, followed redirects, and
    /// unread bodies of streamed responses. Returns when the cookies are saved and every connection
    /// is closed.
    ///
    /// - Parameter limit: How long to wait for requests in progress, in seconds. With 0 or less,
    ///   and in a cancelled task, they are cancelled at once.
    public func shutdown(draining limit: TimeInterval) async {
        exchanges.close()
        // NaN compares as not greater than 0.
        let nanoseconds = limit > 0 ? UInt64(min(limit, 1e9) * 1e9) : 0
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.exchanges.waitUntilNone() }
            group.addTask { try? await Task.sleep(nanoseconds: nanoseconds) }
            await group.next()
            group.cancelAll()
        }
        shutdown()
        if case .success(let loops) = loops { await loops.waitUntilClosed() }
    }

    /// Closes the connections that are idle at the moment. Connections in use stay open and may be
    /// reused.
    public func closeIdleConnections() async {
        // Without loops, and after a shutdown, there is no idle connection to close.
        for loop in (try? allLoops()) ?? [] {
            try? await loop.perform { $0.closeIdleConnections() }
        }
    }

    /// An executor that runs tasks on a thread of the transport, so that responses need no thread
    /// switch. `nil` if the transport could not start.
    ///
    /// It suits work that is little more than requests, and saves the most with few requests in
    /// flight. The thread carries no request while a task runs on it: do not block it, and do heavy
    /// computation elsewhere.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(transport.taskExecutor) {
    ///     for id in ids { try await provider.request(.item(id)) }
    /// }
    /// ```
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    public var taskExecutor: (any TaskExecutor)? { try? loops.get().pick() }

    /// Opens connections to the server of `url` in advance, by sending `HEAD` requests in parallel.
    /// For an HTTP/2 server one request is enough.
    ///
    /// - Parameters:
    ///   - url: The URL to request.
    ///   - connections: The number of requests. 0 or less sends none.
    /// - Throws: The error of ``send(_:)`` for the first request that fails.
    public func warmUp(_ url: URL, connections: Int = 1) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "HEAD"
        let head = TransportRequest(request, redirectPolicy: .refuse)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // A client address has no more ports than that.
            for _ in 0..<min(max(0, connections), 65_535) {
                group.addTask { _ = try await self.send(head) }
            }
            try await group.waitForAll()
        }
    }

    /// The fields `Accept`, `Accept-Encoding` and, unless ``Configuration/userAgent`` is empty,
    /// `User-Agent`.
    public var sessionHeaders: [String: String] {
        var headers = ["Accept": "*/*", "Accept-Encoding": BodyCoding.codings]
        if !configuration.userAgent.isEmpty { headers["User-Agent"] = configuration.userAgent }
        return headers
    }

    /// The loop that holds the cookies.
    func firstLoop() throws -> CurlLoop { try loops.get().first }
    func allLoops() throws -> [CurlLoop] { try loops.get().loops }

    /// Sends a request, answers its challenges, follows its redirects, and returns the response.
    ///
    /// - Throws: `RequestError` for a request that cannot be sent, the error of a request body
    ///   stream, or `URLError`, with a ``CurlError`` as its cause where libcurl reported one.
    ///   `URLError(.cancelled)` if the task is cancelled or the transport is shut down.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard exchanges.begin() else { throw URLError(.cancelled) }
        defer { exchanges.end() }
        let loop: CurlLoop
        do {
            loop = try loops.get().pick()
        } catch {
            throw URLError(.unknown, "\(error)", url: request.urlRequest.url, cause: error)
        }
        let deadline = ExchangeDeadline(configuration.exchangeTimeout, of: request)
        return try await request.followingRedirects { request in
            try await request.answeringChallenges(authentications) { request in
                try await exchange(request, on: loop, deadline: deadline)
            }
        }
    }

    private nonisolated(nonsending) func exchange(
        _ request: TransportRequest, on loop: CurlLoop, deadline: ExchangeDeadline
    ) async throws -> TransportResponse {
        let transfer = Transfer(request, deadline: deadline, on: loop)
        if case .stream = request.destination {
            transfer.stream = ResponseStream(of: transfer, counting: exchanges, keeping: self)
        }
        await withTaskCancellationHandler {
            // The continuation is resumed once: `Transfer.settle(_:)`, or for a stream
            // `deliverHead`, takes it out, on the loop's thread, or on this thread if the loop
            // rejects the transfer. The loop finishes every transfer it accepts.
            await withUnsafeContinuation { continuation in
                transfer.continuation = continuation
                loop.start(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try transfer.takeOutcome()
    }
}

// Access to stored cookies: see `Configuration.cookies`.
extension CurlTransport {
    /// Returns the stored cookies that have not expired. Empty if ``Configuration/cookies`` is
    /// ``Configuration/Cookies/none``.
    ///
    /// - Throws: `URLError(.cancelled)` after ``shutdown()``.
    public func cookies() async throws -> [HTTPCookie] {
        try await firstLoop().perform { $0.context.cookies?.all() ?? [] }
    }

    /// Stores a cookie, replacing one with the same name, domain and path. Does nothing if
    /// ``Configuration/cookies`` is ``Configuration/Cookies/none``.
    ///
    /// - Throws: `URLError(.unknown)` for a cookie with an empty name, domain or path, or with a
    ///   control character; `URLError(.cancelled)` after ``shutdown()``.
    public func setCookie(_ cookie: HTTPCookie) async throws {
        try await firstLoop().perform { try $0.context.cookies?.add(cookie) }
    }

    /// Removes every stored cookie.
    ///
    /// - Throws: `URLError(.cancelled)` after ``shutdown()``.
    public func removeCookies() async throws {
        try await firstLoop().perform { try $0.context.cookies?.removeAll() }
    }

    /// Saves the cookies to their file, readable by its owner only. Does nothing without a file.
    ///
    /// The transport also saves them when it shuts down, but asynchronously and without reporting
    /// errors. Before a process ends, call this method or wait for ``shutdown(draining:)``.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, and the file is as it was; `URLError(.cancelled)`
    ///   after ``shutdown()``.
    public func saveCookies() async throws {
        try await firstLoop().perform { try $0.context.cookies?.save() }
    }
}
#endif
