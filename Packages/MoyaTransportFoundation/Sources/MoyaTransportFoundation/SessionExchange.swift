import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and response of a URLSession.
///
/// There is one way out: whoever takes the continuation out of the state resumes it.
final class SessionExchange: Sendable {
    fileprivate struct State {
        var continuation: CheckedContinuation<Void, Never>?
        /// What the exchange came to. Kept behind the lock, which hands it to the one who waits in a way
        /// that ThreadSanitizer can see; what a continuation does is hidden from it.
        var outcome: Result<TransportResponse, any Error>?
        var task: URLSessionTask?
        var isCancelled = false
        var isOver = false
        var response: HTTPURLResponse?
        var data = Data()
        var file: NewFile?
        var progress: TransferProgress
        var firstByte: Date?
        /// Whether the session's own verdict does not count.
        var isSettled = false
        /// When the last byte moved.
        var lastActivity = DispatchTime.now()
        /// Why the exchange was stopped from here.
        var failure: URLError?
    }

    let request: TransportRequest
    private let start = Date()
    private let state: Locked<State>

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
        state = Locked(State(file: file, progress: progress))
    }

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        state.withLock { $0.continuation = continuation }
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
        task?.cancel()
        finish(.failure(URLError(.cancelled)))
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
        finish(
            .failure(
                URLError(
                    .timedOut, "Nothing moved for \(allowance) seconds.",
                    url: request.urlRequest.url)))
        task?.cancel()
    }

    // MARK: What the session reports

    func receive(_ response: HTTPURLResponse) {
        state.withLock { state in
            state.response = response
            state.lastActivity = .now()
            state.firstByte = Date()
            let isEncoded = response.value(forHTTPHeaderField: "Content-Encoding") != nil
            let length = response.expectedContentLength
            if length >= 0, !isEncoded { state.progress.bytesToReceive = length }
        }
    }

    func receiveIfFirst(_ response: HTTPURLResponse) {
        if state.withLock({ $0.response == nil }) { receive(response) }
    }

    /// Takes `response` for the answer, whatever the session says when it ends.
    func settle(with response: HTTPURLResponse) {
        receive(response)
        state.withLock { $0.isSettled = true }
    }

    func receive(_ data: Data) {
        let (progress, stopped) = state.withLock { state -> (TransferProgress?, URLSessionTask?) in
            guard !state.isOver, state.failure == nil else { return (nil, nil) }
            do throws(URLError) {
                try state.take(data, for: request)
            } catch {
                state.failure = error
                return (nil, state.task)
            }
            state.lastActivity = .now()
            state.progress.bytesReceived += Int64(data.count)
            return (state.progress, nil)
        }
        stopped?.cancel()
        if let progress { request.progress?(progress) }
    }

    func sent(_ count: Int64) {
        let progress = state.withLock { state in
            state.lastActivity = .now()
            state.progress.bytesSent = max(count, state.progress.bytesSent)
            return state.progress
        }
        request.progress?(progress)
    }

    func complete(_ error: (any Error)?) {
        let (failure, response, progress, isSettled) = state.withLock {
            ($0.failure, $0.response, $0.progress, $0.isSettled)
        }
        if let failure { return finish(.failure(failure)) }
        if let error, !isSettled {
            return finish(.failure(URLError(session: error, url: request.urlRequest.url)))
        }
        guard let response, let url = request.urlRequest.url else {
            return finish(
                .failure(URLError(.badServerResponse, "The answer was no HTTP.", url: nil)))
        }
        reportWhatIsLeft(progress)
        finish(Result { try answer(response, url) })
    }

    /// Some platforms report no bytes sent, or not the last of them.
    private func reportWhatIsLeft(_ progress: TransferProgress) {
        guard let total = progress.bytesToSend, progress.bytesSent < total else { return }
        sent(total)
    }

    private func answer(_ response: HTTPURLResponse, _ url: URL) throws -> TransportResponse {
        try state.withLock { state in
            var metrics = TransportMetrics()
            metrics.firstByte = state.firstByte?.timeIntervalSince(start)
            metrics.total = Date().timeIntervalSince(start)
            metrics.bytesSent = state.progress.bytesSent
            metrics.bytesReceived = state.progress.bytesReceived
            var body = ResponseBody.data(state.data)
            if case .file(let url) = request.destination {
                try state.file?.finish()
                body = .file(url)
            }
            return TransportResponse(
                head: ResponseHead(response, fallbackURL: url), body: body, metrics: metrics)
        }
    }

    private func finish(_ result: Result<TransportResponse, any Error>) {
        let continuation = state.withLock {
            state -> CheckedContinuation<Void, Never>? in
            // Nobody waits yet: `begin` is going to see that the exchange was cancelled.
            guard let continuation = state.continuation else { return nil }
            state.continuation = nil
            state.isOver = true
            state.outcome = result
            if case .failure = result { state.file?.discard() }
            return continuation
        }
        continuation?.resume()
    }
}

extension SessionExchange.State {
    fileprivate mutating func take(_ data: Data, for request: TransportRequest) throws(URLError) {
        guard case .memory(let limit) = request.destination else {
            // Data's own `withUnsafeBytes` hands errors on without their type.
            return try data.span.withUnsafeBytes { bytes throws(URLError) in try file?.write(bytes)
            }
        }
        guard data.count <= limit - self.data.count else {
            throw URLError(
                .dataLengthExceedsMaximum,
                "The response's body is larger than the \(limit) bytes that may be kept in memory.",
                url: request.urlRequest.url)
        }
        self.data.append(data)
    }
}

/// What is checked of a file before it is sent.
enum UploadFile {
    static func size(of url: URL) throws(URLError) -> Int64 {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            throw URLError(.fileDoesNotExist, "Cannot read \(url.path).", url: nil, cause: error)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw URLError(.fileIsDirectory, "\(url.path) is not a regular file.", url: nil)
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw URLError(.noPermissionsToReadFile, "\(url.path) may not be read.", url: nil)
        }
        return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }
}
