import Foundation
import MoyaCore
import MoyaInternals

/// Error: a reused connection was closed before any response byte. The request may be sent again.
struct DeadConnection: Error {}

/// Single request and response of a URLSession task.
final class SessionExchange: Sendable {
    let request: TransportRequest
    let deadline: Deadline?
    let state: Locked<SessionExchangeState>
    /// Length of the request body in bytes. `nil` without a body.
    let bodyLength: Int64?
    /// Temporary file of the request body, retained while the session may read it.
    private let spool: SpoolFile?

    /// Creates an exchange.
    ///
    /// - Throws: `URLError` for a file that cannot be read or created.
    init(
        _ request: TransportRequest, _ deadline: Deadline? = nil, spool: SpoolFile? = nil
    ) throws {
        self.request = request
        self.deadline = deadline
        self.spool = spool
        var progress = TransferProgress()
        switch request.body {
        case .none: break
        case .data(let data): progress.bytesToSend = Int64(data.count)
        case .file(let url): progress.bytesToSend = try UploadFile.size(of: url)
        case .stream:
            throw URLError(
                .requestBodyStreamExhausted, "A stream is not sent from here.", url: nil)
        }
        bodyLength = progress.bytesToSend
        var file: NewFile?
        if case .file(let url) = request.destination { file = try NewFile(url) }
        state = Locked(SessionExchangeState(file: file, progress: progress))
    }

    /// Creates a relay for a streamed response. Retains `owner` while the body may be read.
    func openRelay(limit: Int, keeping owner: any Sendable) {
        let relay = BodyRelay(
            limit: limit, hold: { self.holdBack($0) },
            stop: { withExtendedLifetime(owner) { self.cancel() } })
        state.withLock { $0.open(relay) }
    }

    /// Stores the continuation that is resumed when the exchange is over or the head of a stream
    /// has arrived.
    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        state.withLock { $0.wait(continuation) }
    }

    /// Returns the result of the exchange, after the continuation has been resumed.
    func outcome() throws -> TransportResponse {
        guard let outcome = state.withLock({ $0.takeOutcome() }) else { throw URLError(.unknown) }
        return try outcome.get()
    }

    /// Registers closures that stop the task, and suspend or resume it where the platform supports
    /// that. Returns whether the task should be started.
    func begin(
        stop: @escaping @Sendable () -> Void, suspend: (@Sendable (Bool) -> Void)? = nil
    ) -> Bool {
        state.withLock { $0.begin(stop: stop, suspend: suspend) }
    }

    /// Stops the task, unless it has been stopped or left to end.
    func stop() {
        state.withLock { $0.takeStop() }?()
    }

    /// Lets the task end without being stopped. Returns `false` if it has been stopped.
    func leaveToEnd() -> Bool { state.withLock { $0.leaveToEnd() } }

    private func holdBack(_ isHeldBack: Bool) {
        let suspend = state.withLock { state in
            if state.suspend != nil { state.holdBack(isHeldBack) }
            return state.suspend
        }
        suspend?(isHeldBack)
    }

    func cancel() {
        let stop = state.withLock { $0.takeStop() }
        fail(URLError(.cancelled))
        stop?()
    }

    // MARK: Session callbacks

    func receive(_ response: HTTPURLResponse) {
        guard let url = request.urlRequest.url else { return }
        state.withLock { state in
            state.receive(response)
            if request.progress != nil { state.expectLength(of: response) }
            return state.handOver(response, url)
        }?.resume()
    }

    var hasResponse: Bool { state.withLock { $0.response != nil } }

    /// Fails the exchange with `error`, and stops its task.
    func refuse(_ error: any Error) {
        settle(with: error)
        stop()
    }

    /// Uses `response` as the result, regardless of the error that the session reports.
    func settle(with response: HTTPURLResponse) {
        receive(response)
        state.withLock { $0.isSettled = true }
    }

    /// Uses `failure` as the result, regardless of the result that the session reports.
    func settle(with failure: any Error) {
        state.withLock { $0.failure = failure }
    }

    /// Fails with `error`, the reason why the server's certificate is not trusted.
    func settle(distrusting error: any Error) {
        settle(
            with: URLError(
                .serverCertificateUntrusted, "The server's certificate is not trusted: \(error)",
                url: request.urlRequest.url, cause: error))
    }

    func receive(_ data: Data) {
        do {
            let (relay, progress) = try state.withLock { state in
                guard !state.isOver, state.failure == nil else {
                    return (BodyRelay?.none, TransferProgress?.none)
                }
                try state.receive(data, for: request)
                return (state.relay, state.progress)
            }
            try relay?.take(data)
            if let progress { request.progress?(progress) }
        } catch {
            refuse(error)
        }
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
        if !isSettled, let changed = fileThatChanged(error == nil ? response : nil) {
            return fail(changed)
        }
        if let error, !isSettled {
            return fail(URLError(session: error, url: request.urlRequest.url))
        }
        guard let response, let url = request.urlRequest.url else {
            return fail(
                URLError(.badServerResponse, "The server's response is not HTTP.", url: nil))
        }
        reportWhatIsLeft(progress, response)
        state.withLock { $0.succeed(request, response, url) }?.resume()
    }

    /// Returns an error if the uploaded file has changed its length. A response other than 2xx
    /// takes precedence.
    private func fileThatChanged(_ response: HTTPURLResponse?) -> URLError? {
        guard case .file(let file) = request.body, let bodyLength else { return nil }
        if let response, !(200..<300).contains(response.statusCode) { return nil }
        let length = try? UploadFile.size(of: file)
        guard length != bodyLength else { return nil }
        return URLError(
            .requestBodyStreamExhausted,
            "\(file.path) had \(bodyLength) bytes and changed while it was sent.",
            url: request.urlRequest.url)
    }

    /// Reports the full upload progress. Some platforms report no bytes or not all of them. A 2xx
    /// response means that the server has received the whole body; other responses may arrive
    /// earlier.
    private func reportWhatIsLeft(_ progress: TransferProgress, _ response: HTTPURLResponse) {
        guard (200..<300).contains(response.statusCode), let total = progress.bytesToSend,
            progress.bytesSent < total
        else { return }
        sent(total)
    }

    /// Fails with ``DeadConnection``, and stops the task.
    func loseConnection() {
        fail(DeadConnection())
        stop()
    }

    /// The durations of the steps so far.
    var metrics: TransportMetrics { state.withLock { $0.metrics } }

    func take(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.take(metrics) }
    }

    func waitForConnectivity() {
        state.withLock { $0.isWaitingForConnectivity = true }
    }

    func fail(_ error: any Error) {
        state.withLock { $0.fail(error) }?.resume()
    }
}
