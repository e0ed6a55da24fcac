import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and response of a URLSession.
final class SessionExchange: Sendable {
    let sessionRequest: SessionRequest
    private let request: TransportRequest
    private let deadline: DispatchTime?
    private let state: Locked<ExchangeState>
    private let sink: Locked<BodySink>
    private let timer: DispatchTimer

    /// - Throws: For what URLSession cannot send, and for files that cannot be read or created.
    init(_ request: TransportRequest, deadline: DispatchTime?) throws {
        self.request = request
        self.deadline = deadline
        sessionRequest = try SessionRequest(request)
        state = Locked(ExchangeState(bytesToSend: sessionRequest.bodyLength))
        do throws(URLError) {
            sink = Locked(try BodySink(request.destination))
        } catch {
            throw error
        }
        timer = DispatchTimer()
    }

    private var url: URL? { request.urlRequest.url }

    // MARK: Life

    func wait(_ continuation: ExchangeState.Continuation) {
        state.withLock { $0.wait(continuation) }
    }

    /// Whether the exchange still wants a task.
    var isWanted: Bool { state.withLock { !$0.isStopped } }

    /// Starts `task` for this exchange, or cancels it if the exchange was cancelled.
    func begin(_ task: URLSessionTask) {
        guard state.withLock({ $0.begin(task) }) else { return cancel() }
        watch()
        task.resume()
    }

    func cancel() {
        fail(URLError(.cancelled, "The request was cancelled.", url: url))
    }

    private func fail(_ error: URLError) {
        let task = state.withLock { $0.stop() }
        // URLSession on Linux waits for its queue here, and that must not happen under a caller's lock.
        if let task { SessionDelegate.controlQueue.async { task.cancel() } }
        finish { throw error }
    }

    /// The one way out. Whoever comes first is the only one whose `result` is asked for.
    private func finish(_ result: (inout BodySink) throws -> TransportResponse) {
        guard let continuation = state.withLock({ $0.end() }) else { return }
        timer.cancel()
        let outcome = sink.withLock { sink in
            Result {
                do {
                    return try result(&sink)
                } catch {
                    sink.discard()
                    throw error
                }
            }
        }
        continuation.resume(with: outcome)
    }

    // MARK: Time

    /// Fails the exchange once nothing has moved for the request's `timeoutInterval`, or its deadline
    /// has come. URLSession on Linux knows whole seconds alone, and no deadline.
    private func watch() {
        let (due, reason) = nextDue()
        guard due != .distantFuture else { return }
        timer.schedule(at: due) { [weak self] in
            guard let self, isWanted else { return }
            let (next, _) = nextDue()
            if next > .now() { return watch() }
            fail(URLError(.timedOut, reason, url: url))
        }
    }

    private func nextDue() -> (DispatchTime, String) {
        let allowance = request.urlRequest.timeoutInterval
        var due = (DispatchTime.distantFuture, "")
        // Longer than 30 years is for ever.
        if allowance > 0, allowance < 1e9 {
            due = (
                state.withLock { $0.lastActivity } + allowance,
                "Nothing moved for \(allowance) seconds."
            )
        }
        if let deadline, deadline < due.0 {
            due = (deadline, "The exchange took longer than the transport allows.")
        }
        return due
    }

    // MARK: What the session reports

    func receive(_ response: HTTPURLResponse, of task: URLSessionTask) {
        state.withLock { if $0.isListening(to: task) { $0.receive(response) } }
    }

    /// Takes `response` for the answer, whatever the session says when it ends.
    func settle(with response: HTTPURLResponse, of task: URLSessionTask) {
        state.withLock { if $0.isListening(to: task) { $0.settle(with: response) } }
    }

    func receive(_ data: Data, of task: URLSessionTask) {
        guard state.withLock({ $0.isListening(to: task) }) else { return }
        do throws(URLError) {
            try sink.withLock { sink throws(URLError) in try sink.write(data) }
        } catch {
            return fail(error)
        }
        report { $0.received(data.count) }
    }

    func sent(_ count: Int64, by task: URLSessionTask) {
        guard state.withLock({ $0.isListening(to: task) }) else { return }
        report { $0.sent(count) }
    }

    private func report(_ change: (inout ExchangeState) -> TransferProgress) {
        let (progress, isOver) = state.withLock { (change(&$0), $0.isOver) }
        if !isOver { request.progress?(progress) }
    }

    /// Tells URLSession not to follow a redirect.
    func refuseRedirect(
        _ response: HTTPURLResponse, of task: URLSessionTask, _ answer: (URLRequest?) -> Void
    ) {
        receive(response, of: task)
        #if canImport(FoundationNetworking)
            // An answer that comes after the task was cancelled ends the process. `answer` only puts
            // something into a queue, and nobody cancels while the lock is held.
            state.withLock { if !$0.isStopped { answer(nil) } }
        #else
            answer(nil)
        #endif
    }

    /// The connection died under the body, and URLSession on Linux cannot send it from its start.
    func loseBody(of task: URLSessionTask) {
        state.withLock { if $0.isListening(to: task) { $0.loseBody() } }
        // The session's queue is the caller, and waits for itself if the task is cancelled on it.
        SessionDelegate.controlQueue.async { task.cancel() }
    }

    func receive(_ metrics: TransportMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    /// Takes the end of `task`. Returns whether the exchange wants another one.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) -> Bool {
        // Some responses are never reported, but kept by the task.
        if let response = task.response as? HTTPURLResponse,
            state.withLock({ $0.isListening(to: task) && $0.response == nil })
        {
            receive(response, of: task)
        }
        if state.withLock({ $0.resend() }) { return true }
        switch state.withLock({ $0.verdict(on: error) }) {
        case .failure(let error): finish { _ in throw URLError(session: error, url: url) }
        case .success(let response):
            reportWhatIsLeft()
            finish { try self.answer(response, &$0) }
        }
        return false
    }

    /// Some platforms report no bytes sent, or not the last of them.
    private func reportWhatIsLeft() {
        let progress = state.withLock { $0.progress }
        guard let total = progress.bytesToSend, progress.bytesSent < total else { return }
        report { $0.sent(total) }
    }

    private func answer(
        _ response: HTTPURLResponse, _ sink: inout BodySink
    ) throws -> TransportResponse {
        guard let url else {
            throw URLError(.badServerResponse, "The request has no URL.", url: nil)
        }
        let metrics = state.withLock { state in
            var metrics = state.metrics
            metrics.firstByte = state.firstByte.map { $0.seconds(since: state.start) }
            metrics.total = DispatchTime.now().seconds(since: state.start)
            metrics.bytesSent = state.progress.bytesSent
            metrics.bytesReceived = state.progress.bytesReceived
            return metrics
        }
        return TransportResponse(
            head: ResponseHead(response, fallbackURL: url), body: try sink.finish(),
            metrics: metrics)
    }
}

extension DispatchTime {
    fileprivate func seconds(since start: DispatchTime) -> TimeInterval {
        TimeInterval(uptimeNanoseconds - min(uptimeNanoseconds, start.uptimeNanoseconds)) / 1e9
    }
}
