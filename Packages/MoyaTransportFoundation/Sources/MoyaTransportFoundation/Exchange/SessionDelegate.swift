import Foundation
import MoyaCore
import MoyaInternals

/// Tells each exchange what its session reports about it.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        /// `nil` once it is closed.
        var session: URLSession?
        var exchanges: [Int: SessionExchange] = [:]
        /// Writers of request bodies, for exchanges that have yet to begin.
        var writers: [ObjectIdentifier: SpoolWriter] = [:]
        /// How often everything has been cancelled.
        var round = 0

        /// Whether anything may begin for what began in `round`.
        func isOpen(for round: Int) -> Bool { session != nil && round >= self.round }
    }

    private let state = Locked(State())
    /// Held while a task is made and while the session is told to end: making a task on an invalidated session
    /// ends the process. Not `state`'s lock, which the session's reports need while a task is made.
    private let making = Locked(())
    /// Where the session is told to stop something. Not where it reports: it may be waiting for that.
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

    /// Takes the session that reports to this.
    func open(_ session: URLSession) {
        state.withLock { $0.session = session }
    }

    /// How often everything has been cancelled.
    var round: Int { state.withLock(\.round) }

    /// Starts `exchange`, which belongs to what began in `round`. It is cancelled if everything has been since, and
    /// after ``close()``.
    func start(_ exchange: SessionExchange, _ round: Int) {
        let task = making.withLock { _ -> URLSessionTask? in
            guard let session = state.withLock(\.session) else { return nil }
            return makeTask(for: exchange, on: session)
        }
        guard let task else { return exchange.cancel() }
        let isKnown = state.withLock { state in
            // All may have been cancelled meanwhile, and this exchange not have been among the cancelled.
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

    /// Runs `writer`, for an exchange of this session. It is cancelled where the exchange would be.
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

    /// Cancels what is under way, and what would follow on it.
    func cancelAll() {
        let (exchanges, writers) = state.withLock { state in
            state.round += 1
            return (Array(state.exchanges.values), Array(state.writers.values))
        }
        for writer in writers { writer.cancel() }
        for exchange in exchanges { exchange.cancel() }
    }

    /// Cancels what is under way and what comes from now on, and ends the session with its connections.
    func close() {
        let (session, exchanges, writers) = state.withLock { state in
            defer { state = State() }
            return (state.session, Array(state.exchanges.values), Array(state.writers.values))
        }
        guard let session else { return }
        for writer in writers { writer.cancel() }
        for exchange in exchanges { exchange.cancel() }
        // The session holds on to its delegate until it is told this.
        queue.async { self.making.withLock { _ in self.platform.invalidate(session) } }
    }

    /// 11 days. Whatever the request says, URLSession is told this: some platforms count milliseconds in
    /// an Int, of 32 bits too, and end the process where they do not fit.
    static let longestTimeout: TimeInterval = 1_000_000

    private func makeTask(
        for exchange: SessionExchange, on session: URLSession
    ) -> URLSessionTask {
        let request = exchange.request
        var urlRequest = request.urlRequest
        // How the body is delimited is URLSession's to say: it knows all bodies' lengths. Two that differ are how
        // requests are smuggled (RFC 9112, section 11.2).
        for name in ["Content-Length", "Transfer-Encoding"]
        where urlRequest.value(forHTTPHeaderField: name) != nil {
            urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
        // The exchange watches the time itself. Setting this copies the request, so it is not done where it changes
        // nothing.
        if !platform.hasOwnTimeout
            || urlRequest.timeoutInterval != URLRequest.defaultTimeoutInterval
        {
            urlRequest.timeoutInterval = Self.longestTimeout
        }
        platform.adapt(&urlRequest)
        if let task = platform.makeBackgroundTask(urlRequest, request.body, on: session) {
            return task
        }
        switch request.body {
        case .none:
            // A POST, PUT or PATCH without a body still says that it has none (RFC 9110, section 8.6).
            guard ["POST", "PUT", "PATCH"].contains(urlRequest.httpMethod ?? "GET") else {
                return session.dataTask(with: urlRequest)
            }
            return session.uploadTask(with: urlRequest, from: Data())
        case .stream: return session.uploadTask(with: urlRequest, from: Data())
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

    /// Takes the head of a response, unless the platform finds it to be none.
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
        // Only Linux asks for a body that was no stream: libcurl found a connection it used again dead, and
        // wants to send once more what URLSession cannot give it again. It would wait for ever. So a new task does.
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
        // Followed by ``FoundationTransport``, where credentials are looked after.
        if platform.mayAnswerRedirect(of: exchange) { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchange(task)
        forget(task)
        guard let exchange else { return }
        // Some responses are never reported, but kept by the task.
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
