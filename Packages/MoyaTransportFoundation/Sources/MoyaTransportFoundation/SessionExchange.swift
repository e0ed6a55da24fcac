import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and response of a URLSession.
final class SessionExchange: Sendable {
    let request: TransportRequest
    private let state: Locked<ExchangeState>

    /// - Throws: `URLError` for a file that cannot be read or created.
    init(_ request: TransportRequest) throws(URLError) {
        self.request = request
        var progress = TransferProgress()
        switch request.body {
        case .none: break
        case .data(let data): progress.bytesToSend = Int64(data.count)
        case .file(let url): progress.bytesToSend = try UploadFile.size(of: url)
        }
        var file: NewFile?
        if case .file(let url) = request.destination { file = try NewFile(url) }
        state = Locked(ExchangeState(file: file, progress: progress))
    }

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        state.withLock { $0.wait(continuation) }
    }

    /// What the exchange came to, once the continuation has been resumed.
    func outcome() throws -> TransportResponse {
        guard let outcome = state.withLock(\.outcome) else { throw URLError(.unknown) }
        return try outcome.get()
    }

    /// Takes the task that carries the exchange. Returns whether it shall be started.
    func begin(_ task: URLSessionTask) -> Bool {
        state.withLock { state in
            state.task = task
            return !state.isCancelled && !state.isOver
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        fail(URLError(.cancelled))
        task?.cancel()
    }

    /// Fails the exchange once nothing has moved for the request's `timeoutInterval`.
    ///
    /// URLSession's own timer knows whole seconds alone on some platforms, and cuts the rest off.
    func watchForStandstill() {
        let allowance = request.urlRequest.timeoutInterval
        guard allowance > 0, allowance < 1e9 else { return }
        let due = state.withLock { $0.lastActivity } + allowance
        DispatchQueue.global().asyncAfter(deadline: due) { [weak self] in
            self?.endIfStandingStill(allowance)
        }
    }

    private func endIfStandingStill(_ allowance: TimeInterval) {
        let (isOver, isStandingStill, task) = state.withLock { state in
            (state.isOver, state.lastActivity + allowance <= .now(), state.task)
        }
        if isOver { return }
        guard isStandingStill else { return watchForStandstill() }
        // Before the task ends, whose own verdict would be that it was cancelled.
        fail(
            URLError(
                .timedOut, "Nothing moved for \(allowance) seconds.", url: request.urlRequest.url))
        task?.cancel()
    }

    // MARK: What the session reports

    func receive(_ response: HTTPURLResponse) {
        state.withLock { $0.receive(response) }
    }

    func receiveIfFirst(_ response: HTTPURLResponse) {
        state.withLock { if $0.response == nil { $0.receive(response) } }
    }

    /// Takes `response` for the answer, whatever the session says when it ends.
    func settle(with response: HTTPURLResponse) {
        state.withLock { state in
            state.receive(response)
            state.isSettled = true
        }
    }

    /// Takes `failure` for the outcome, whatever the session says when it ends.
    func settle(with failure: URLError) {
        state.withLock { $0.failure = failure }
    }

    func receive(_ data: Data) {
        let (progress, stopped) = state.withLock { state -> (TransferProgress?, URLSessionTask?) in
            guard !state.isOver, state.failure == nil else { return (nil, nil) }
            do throws(URLError) {
                try state.receive(data, for: request)
            } catch {
                state.failure = error
                return (nil, state.task)
            }
            return (state.progress, nil)
        }
        stopped?.cancel()
        if let progress { request.progress?(progress) }
    }

    func sent(_ count: Int64) {
        let progress = state.withLock { state in
            state.sent(count)
            return state.progress
        }
        request.progress?(progress)
    }

    func complete(_ error: (any Error)?) {
        let (failure, response, progress, isSettled) = state.withLock {
            ($0.failure, $0.response, $0.progress, $0.isSettled)
        }
        if let failure { return fail(failure) }
        if let error, !isSettled {
            return fail(URLError(session: error, url: request.urlRequest.url))
        }
        guard let response, let url = request.urlRequest.url else {
            return fail(URLError(.badServerResponse, "The answer was no HTTP.", url: nil))
        }
        reportWhatIsLeft(progress)
        state.withLock { $0.succeed(request, response, url) }?.resume()
    }

    /// Some platforms report no bytes sent, or not the last of them.
    private func reportWhatIsLeft(_ progress: TransferProgress) {
        guard let total = progress.bytesToSend, progress.bytesSent < total else { return }
        sent(total)
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.fail(error) }?.resume()
    }
}
