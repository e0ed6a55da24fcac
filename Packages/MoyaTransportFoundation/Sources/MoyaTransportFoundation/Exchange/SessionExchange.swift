import Foundation
import MoyaCore
import MoyaInternals

/// A connection that was kept has died, and nothing has come back over it: the request may be sent again.
struct DeadConnection: Error {}

/// One request and response of a URLSession.
final class SessionExchange: Sendable {
    let request: TransportRequest
    let deadline: Deadline?
    let state: Locked<SessionExchangeState>
    /// How many bytes are sent. `nil` for no body.
    let bodyLength: Int64?
    /// Where the body is, while the session may still read it.
    private let spool: SpoolFile?

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

    /// Makes room for a body that is read while it arrives. `owner` lives as long as the body may be read.
    func openRelay(limit: Int, keeping owner: any Sendable) {
        let relay = BodyRelay(
            limit: limit, hold: { self.holdBack($0) },
            stop: { withExtendedLifetime(owner) { self.cancel() } })
        state.withLock { $0.open(relay) }
    }

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        state.withLock { $0.wait(continuation) }
    }

    /// What the exchange came to, once the continuation has been resumed.
    func outcome() throws -> TransportResponse {
        guard let outcome = state.withLock({ $0.takeOutcome() }) else { throw URLError(.unknown) }
        return try outcome.get()
    }

    /// Takes what ends the task that carries the exchange, and what suspends or resumes it where that can be done.
    /// Returns whether it shall be started.
    func begin(
        stop: @escaping @Sendable () -> Void, suspend: (@Sendable (Bool) -> Void)? = nil
    ) -> Bool {
        state.withLock { $0.begin(stop: stop, suspend: suspend) }
    }

    /// Stops the task that carries the exchange, unless it has been stopped or ends by itself.
    func stop() {
        state.withLock { $0.takeStop() }?()
    }

    /// Leaves the task to end by itself. Returns `false` where it has been stopped before.
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

    // MARK: What the session reports

    func receive(_ response: HTTPURLResponse) {
        guard let url = request.urlRequest.url else { return }
        state.withLock { state in
            state.receive(response)
            if request.progress != nil { state.expectLength(of: response) }
            return state.handOver(response, url)
        }?.resume()
    }

    var hasResponse: Bool { state.withLock { $0.response != nil } }

    /// Fails the exchange with `error`, and stops the task that carries it.
    func refuse(_ error: any Error) {
        settle(with: error)
        stop()
    }

    /// Takes `response` for the answer, whatever the session says when it ends.
    func settle(with response: HTTPURLResponse) {
        receive(response)
        state.withLock { $0.isSettled = true }
    }

    /// Takes `failure` for the outcome, whatever the session says when it ends.
    func settle(with failure: any Error) {
        state.withLock { $0.failure = failure }
    }

    /// Fails with `error`, which found the server's certificate not to be trusted.
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
            return fail(URLError(.badServerResponse, "The answer was no HTTP.", url: nil))
        }
        reportWhatIsLeft(progress, response)
        state.withLock { $0.succeed(request, response, url) }?.resume()
    }

    /// The error for a file that is not as long any more as was announced, unless the server did not want it.
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

    /// Some platforms report no bytes sent, or not the last of them. Who has taken the request has got them all, and who
    /// refuses it may not have.
    private func reportWhatIsLeft(_ progress: TransferProgress, _ response: HTTPURLResponse) {
        guard (200..<300).contains(response.statusCode), let total = progress.bytesToSend,
            progress.bytesSent < total
        else { return }
        sent(total)
    }

    /// Fails because its connection had died, and stops what carries the exchange.
    func loseConnection() {
        fail(DeadConnection())
        stop()
    }

    func take(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.take(metrics) }
    }

    func waitForConnectivity() {
        state.withLock { $0.waitForConnectivity() }
    }

    func fail(_ error: any Error) {
        state.withLock { $0.fail(error) }?.resume()
    }
}
