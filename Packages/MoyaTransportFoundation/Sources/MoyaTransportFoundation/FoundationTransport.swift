import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over URLSession.
///
/// Redirects, Basic and Digest authentication, time and limits are treated here and not by URLSession, so that they are
/// the same on every platform and the same as with the other transports. It keeps no credentials, and cookies
/// or a cache only where its configuration has some. Share one transport between providers; it is safe to use
/// from any thread.
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
    }

    private let delegate: SessionDelegate
    private let options: Options
    private let nonces = NonceCounts()

    /// A transport that connects as `configuration` says.
    ///
    /// - Throws: ``ConfigurationError`` for what URLSession cannot do on this platform.
    public convenience init(configuration: Configuration) throws(ConfigurationError) {
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
        self.options = options
        // Time is looked after here.
        configuration.timeoutIntervalForRequest = SessionDelegate.longestTimeout
        delegate = SessionDelegate(platform)
        delegate.open(
            URLSession(
                configuration: configuration, delegate: delegate,
                delegateQueue: platform.makeDelegateQueue()))
    }

    deinit { shutdown() }

    /// Cancels every exchange and closes every connection. Requests made later fail with
    /// `URLError(.cancelled)`. Later calls do nothing.
    public func shutdown() {
        delegate.close()
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let deadline = Deadline(options.exchangeTimeout)
        return try await preparing(request).followingRedirects { request in
            try await sending(request, deadline)
        }
    }

    /// Sends one request. Its body, if it comes in pieces or goes in the background, is put into a file before.
    private func sending(
        _ request: TransportRequest, _ deadline: Deadline?
    ) async throws -> TransportResponse {
        let stream: RequestBodyStream
        switch request.body {
        case .stream(let pieces): stream = pieces
        case .data(let data) where options.isInBackground: stream = RequestBodyStream(data)
        case .none, .data, .file: return try await authenticating(request, deadline, nil)
        }
        // Nothing is read for a request that may not be sent.
        try request.validateForSession()
        let spool = try await SpoolFile.make(stream, by: deadline)
        var request = request
        request.body = .file(spool.url)
        let response = try await authenticating(request, deadline, spool)
        // A body that is read already may be the answer to one that is still being sent.
        if case .stream = response.body {} else { spool.remove() }
        return response
    }

    /// Sends one request, and again as often as the server asks who sends it and there is an answer.
    private func authenticating(
        _ request: TransportRequest, _ deadline: Deadline?, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        var response = try await exchange(request, deadline, spool)
        guard var authenticator = Authenticator(request, nonces) else { return response }
        while let answer = authenticator.answer(response) {
            switch response.body {
            case .data: break
            case .file(let url): try FileManager.default.removeItem(at: url)
            // Read to its end, so that its connection can be used again.
            case .stream(let stream): _ = try? await stream.collect(upTo: 64 << 10)
            }
            response = try await exchange(answer, deadline, spool)
        }
        return response
    }

    /// The request with the session's header fields and timeout. URLSession would add the fields again after a
    /// redirect to another origin.
    private func preparing(_ request: TransportRequest) -> TransportRequest {
        var request = request
        for (name, value) in options.additionalHeaders
        where request.urlRequest.value(forHTTPHeaderField: name) == nil {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        if options.isInBackground {
            // How long it has to wait there, nobody knows.
            request.urlRequest.timeoutInterval = 0
        } else if request.urlRequest.timeoutInterval == URLRequest.defaultTimeoutInterval {
            request.urlRequest.timeoutInterval = options.timeout
        }
        return request
    }

    /// Sends one request, and again where the connection for it had died. As often as libcurl would.
    private func exchange(
        _ request: TransportRequest, _ deadline: Deadline?, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        for _ in 0..<5 {
            do {
                return try await attempt(request, deadline, spool)
            } catch is DeadConnection {}
        }
        throw URLError(
            .networkConnectionLost, "The server closed the connection before it answered.",
            url: request.urlRequest.url)
    }

    private func attempt(
        _ request: TransportRequest, _ deadline: Deadline?, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        try request.validateForSession()
        let exchange = try SessionExchange(request, deadline, spool: spool)
        if case .stream = request.destination {
            exchange.openRelay(limit: options.streamBacklogLimit, keeping: self)
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.wait(continuation)
                delegate.start(exchange)
            }
            return try exchange.outcome()
        } onCancel: {
            exchange.cancel()
        }
    }
}

extension RequestBodyStream {
    fileprivate init(_ data: Data) {
        self.init(length: Int64(data.count)) {
            AsyncStream<Data> { pieces in
                pieces.yield(data)
                pieces.finish()
            }
        }
    }
}

extension URLRequest {
    /// The `timeoutInterval` of a request that nobody gave one.
    static let defaultTimeoutInterval: TimeInterval = 60
}
