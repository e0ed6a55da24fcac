import Foundation
import MoyaCore
import MoyaInternals

/// Delegate that forwards a session's callbacks to the exchange of each task.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        /// `nil` after ``close()``.
        var session: URLSession?
        var exchanges: [Int: SessionExchange] = [:]
        /// Writers of request bodies whose exchanges have not started.
        var writers: [ObjectIdentifier: SpoolWriter] = [:]
        /// Number of `cancelAll` calls.
        var round = 0

        /// Whether a request that began in `round` may still start exchanges.
        func isOpen(for round: Int) -> Bool { session != nil && round >= self.round }
    }

    private let state = Locked(State())
    /// Lock held while a task is created and while the session is invalidated: creating a task on
    /// an invalidated session ends the process. Separate from the lock of `state`, which session
    /// callbacks need while a task is created.
    private let making = Locked(())
    /// Queue for cancelling tasks. Cancelling inside a session callback could deadlock.
    private let queue = DispatchQueue(label: "MoyaTransportFoundation.SessionDelegate")
    let platform: SessionPlatform

    private let timer = DeadlineTimer()

    init(_ platform: SessionPlatform) {
        self.platform = platform
        super.init()
        timer.start { [weak self] in
            guard let self else { return nil }
            let exchanges = state.withLock { Array($0.exchanges.values) }
            for exchange in exchanges { exchange.checkTheTime() }
            return exchanges.compactMap { $0.nextCheck() }.min()
        }
    }

    /// Sets the session that reports to this delegate.
    func open(_ session: URLSession) {
        state.withLock { $0.session = session }
    }

    /// Number of `cancelAll` calls.
    var round: Int { state.withLock(\.round) }

    /// Starts an exchange of a request that began in `round`. Cancels the exchange instead if
    /// `cancelAll()` has been called since, or after ``close()``.
    func start(_ exchange: SessionExchange, _ round: Int) {
        let task: URLSessionTask
        do {
            let made = try making.withLock { _ -> URLSessionTask? in
                guard let session = state.withLock(\.session) else { return nil }
                return try makeTask(for: exchange, on: session)
            }
            guard let made else { return exchange.cancel() }
            task = made
        } catch {
            return exchange.fail(error)
        }
        let isKnown = state.withLock { state in
            // `cancelAll()` may have run since `round` was read. It did not see this exchange.
            guard state.isOpen(for: round) else { return false }
            state.exchanges[task.taskIdentifier] = exchange
            return true
        }
        let isWanted = exchange.begin(
            stop: { [queue] in queue.async { task.cancel() } },
            suspend: platform.makeSuspend(for: task))
        guard isWanted, isKnown else {
            forget(task)
            queue.async { task.cancel() }
            return exchange.cancel()
        }
        timer.schedule(exchange.nextCheck())
        task.resume()
    }

    /// Runs a writer for an exchange of this session. `cancelAll()` and ``close()`` cancel the
    /// writer.
    func run(
        _ writer: SpoolWriter, of stream: RequestBodyStream, _ context: SendContext
    ) async throws {
        let id = ObjectIdentifier(writer)
        let isOpen = state.withLock { state in
            guard state.isOpen(for: context.round) else { return false }
            state.writers[id] = writer
            return true
        }
        if !isOpen { writer.cancel() }
        defer { _ = state.withLock { $0.writers.removeValue(forKey: id) } }
        try await writer.run(stream, by: context.deadline)
    }

    /// Cancels all exchanges in progress, including their redirects and repetitions.
    func cancelAll() {
        let (exchanges, writers) = state.withLock { state in
            state.round += 1
            return (Array(state.exchanges.values), Array(state.writers.values))
        }
        for writer in writers { writer.cancel() }
        for exchange in exchanges { exchange.cancel() }
    }

    /// Cancels all exchanges, present and future, and invalidates the session.
    func close() {
        let (session, exchanges, writers) = state.withLock { state in
            defer { state = State() }
            return (state.session, Array(state.exchanges.values), Array(state.writers.values))
        }
        guard let session else { return }
        for writer in writers { writer.cancel() }
        for exchange in exchanges { exchange.cancel() }
        // The session retains its delegate until it is invalidated.
        queue.async { self.making.withLock { _ in self.platform.invalidate(session) } }
    }

    /// Timeout of every task, in seconds (11 days). The exchange implements the request's timeout.
    /// Longer values could overflow: some platforms count milliseconds in an Int, which may have 32
    /// bits, and end the process on overflow.
    static let longestTimeout: TimeInterval = 1_000_000

    private func makeTask(
        for exchange: SessionExchange, on session: URLSession
    ) throws(URLError) -> URLSessionTask {
        let request = exchange.request
        var urlRequest = request.urlRequest
        // URLSession determines the framing, because it knows the length of every body. A second,
        // different length would allow request smuggling (RFC 9112, section 11.2).
        for name in ["Content-Length", "Transfer-Encoding"]
        where urlRequest.value(forHTTPHeaderField: name) != nil {
            urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
        // The exchange implements the timeout. Setting the property copies the request, so it is
        // skipped where it has no effect.
        if !platform.hasOwnTimeout
            || urlRequest.timeoutInterval != URLRequest.defaultTimeoutInterval
        {
            urlRequest.timeoutInterval = Self.longestTimeout
        }
        try platform.adapt(&urlRequest)
        if let task = platform.makeBackgroundTask(urlRequest, request.body, on: session) {
            return task
        }
        switch request.body {
        case .none where !["POST", "PUT", "PATCH"].contains(urlRequest.httpMethod ?? "GET"):
            return session.dataTask(with: urlRequest)
        // Sends `Content-Length: 0` with POST, PUT and PATCH (RFC 9110, section 8.6).
        case .none, .stream: return session.uploadTask(with: urlRequest, from: Data())
        case .data(let data): return session.uploadTask(with: urlRequest, from: data)
        case .file(let url):
            return platform.makeUploadTask(
                urlRequest, url, length: exchange.bodyLength ?? 0, on: session)
        }
    }

    func exchange(_ task: URLSessionTask) -> SessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    private func forget(_ task: URLSessionTask) {
        _ = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
    }

    /// Passes the head of a response to the exchange, if the platform's checks accept it.
    private func take(_ response: URLResponse?, for exchange: SessionExchange) {
        guard let response = response as? HTTPURLResponse else { return }
        let request = exchange.request.urlRequest
        do throws(URLError) {
            try platform.check(response, to: request)
        } catch {
            return exchange.refuse(error)
        }
        platform.keepCookies(of: response, to: request)
        exchange.receive(response)
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let exchange = exchange(dataTask) { take(response, for: exchange) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // Linux only: a reused connection was dead, and libcurl wants to send the body again, which
        // URLSession cannot rewind. URLSession would wait forever. Fails with DeadConnection, so
        // that a new task sends the request.
        exchange(task)?.loseConnection()
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let exchange = exchange(task)
        if let exchange { take(response, for: exchange) }
        // `FoundationTransport` follows redirects, because it handles credentials.
        if platform.mayAnswerRedirect(of: exchange) { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchange(task)
        forget(task)
        guard let exchange else { return }
        // The session does not report some responses, but the task has them.
        if !exchange.hasResponse { take(task.response, for: exchange) }
        exchange.complete(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let exchange = exchange(task)
        let platform = platform
        DispatchQueue.global().async { platform.answer(challenge, to: exchange, completionHandler) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(task)?.take(metrics)
    }
}
