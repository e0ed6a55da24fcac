import Foundation
import MoyaInternals

/// Somebody who waits for the result of an exchange.
struct Waiter: Sendable {
    let id: Int
    /// Where the completion runs. `nil` is the main queue.
    let queue: DispatchQueue?
    /// Takes how far the exchange has come.
    var progress: ProgressReporter?
    /// Takes the result, before the plugins have processed it.
    let completion: Completion

    /// Ends the wait. Call it where the completion runs.
    func answer(_ result: Result<Response, MoyaError>) {
        progress?.finish(result)
        completion(result)
    }
}

/// The life of one exchange and of those who wait for it, without any I/O.
///
/// There is one way out of it: whoever gets waiters out of ``finish()`` calls them, and nobody
/// gets them twice.
struct ExchangeState: Sendable {
    enum Phase {
        /// The request closure has not answered yet.
        case waiting
        /// The request is being sent, on one thread and without a pause.
        case starting
        /// Another one decides whether it is sent.
        case undecided
        /// Cancelling it runs this.
        case running(cancel: @Sendable () -> Void)
        /// A file is being put in its place: it is too late to cancel that.
        case landing
        case finished
    }

    enum CancelAction {
        /// Nobody was waiting under that number, or the one who starts the exchange sees to it.
        case nothing
        /// Others still wait: tell this one alone.
        case dismiss(Waiter)
        /// Nothing has been sent: nobody but the waiters needs to hear of it.
        case finish
        /// End what is on its way.
        case stop(@Sendable () -> Void)
    }

    private var phase = Phase.waiting
    private(set) var waiters: [Waiter]
    private(set) var isCancelled = false
    private var nextID = 1
    private var onEnd: (@Sendable () -> Void)?

    init(first waiter: Waiter) {
        waiters = [waiter]
    }

    /// Takes in another waiter. `nil` when the exchange is over: it would wait for ever.
    mutating func join(
        queue: DispatchQueue?, progress: ProgressReporter? = nil, completion: @escaping Completion
    ) -> Waiter? {
        if case .finished = phase { return nil }
        if isCancelled { return nil }
        let waiter = Waiter(id: nextID, queue: queue, progress: progress, completion: completion)
        nextID += 1
        waiters.append(waiter)
        return waiter
    }

    /// Takes the right to start the exchange. It is given once, and not after a cancel.
    mutating func begin() -> Bool {
        guard case .waiting = phase, !isCancelled else { return false }
        phase = .starting
        return true
    }

    /// Leaves it open whether the exchange is sent.
    mutating func hold() {
        if case .starting = phase { phase = .undecided }
    }

    /// Takes the right to go on where that has been left open. It is not given after a cancel.
    mutating func resume() -> Bool {
        guard case .undecided = phase, !isCancelled else { return false }
        phase = .starting
        return true
    }

    /// Says how to cancel what has begun. Returns whether that is due at once, because the
    /// exchange was cancelled in the meantime.
    mutating func run(cancel: @escaping @Sendable () -> Void) -> Bool {
        guard case .starting = phase else { return false }
        phase = .running(cancel: cancel)
        return isCancelled
    }

    /// Takes the right to put a file in its place. It is not given after a cancel.
    mutating func beginLanding() -> Bool {
        switch phase {
        case .starting where !isCancelled, .running where !isCancelled:
            phase = .landing
            return true
        case .waiting, .starting, .undecided, .running, .landing, .finished: return false
        }
    }

    mutating func cancel(_ id: Int) -> CancelAction {
        switch phase {
        case .landing, .finished: return .nothing
        case .waiting, .starting, .undecided, .running: break
        }
        guard !isCancelled, let index = waiters.firstIndex(where: { $0.id == id }) else {
            return .nothing
        }
        return waiters.count > 1 ? .dismiss(waiters.remove(at: index)) : cancelAll()
    }

    mutating func cancelAll() -> CancelAction {
        guard !isCancelled else { return .nothing }
        isCancelled = true
        return switch phase {
        case .waiting, .undecided: .finish
        case .starting, .landing, .finished: .nothing
        case .running(let cancel): .stop(cancel)
        }
    }

    /// Ends the exchange and hands over those who wait. `nil` if it has ended before.
    mutating func finish() -> [Waiter]? {
        if case .finished = phase { return nil }
        phase = .finished
        return waiters
    }

    /// Says what runs after the waiters have their answer.
    mutating func whenOver(_ action: @escaping @Sendable () -> Void) {
        onEnd = action
    }

    /// Forgets who waited: a token that is kept must not keep them. Returns what runs now.
    mutating func release() -> (@Sendable () -> Void)? {
        defer { onEnd = nil }
        waiters = []
        return onEnd
    }
}

/// One exchange on its way, shared by all who wait for the same answer.
final class Exchange: Sendable {
    private let state: Locked<ExchangeState>
    /// Where plugins run, and the first waiter's completion. `nil` is the main queue.
    private let queue: DispatchQueue?
    /// Whether an answer may be handed over before `request` returns: immediate stubs without a queue.
    private let answersInPlace: Bool

    init(
        queue: DispatchQueue?, answersInPlace: Bool, progress: ProgressReporter?,
        completion: @escaping Completion
    ) {
        self.queue = queue
        self.answersInPlace = answersInPlace
        let first = Waiter(id: 0, queue: queue, progress: progress, completion: completion)
        state = Locked(ExchangeState(first: first))
    }

    var completions: [Completion] { state.withLock { $0.waiters.map(\.completion) } }

    /// Runs `action` once, after the waiters have their answer.
    func whenOver(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenOver(action) }
    }

    func join(
        queue: DispatchQueue?, progress: ProgressReporter? = nil, completion: @escaping Completion
    ) -> WaiterToken? {
        state.withLock { $0.join(queue: queue, progress: progress, completion: completion) }
            .map { WaiterToken(exchange: self, id: $0.id) }
    }

    /// Lets the one who waits here wait for the answer to `other` instead. `nil` where that is over. The token it
    /// returns is what ``run(cancel:)`` is due.
    func join(_ other: Exchange) -> WaiterToken? {
        guard let own = state.withLock({ $0.waiters.first }) else { return nil }
        return other.join(queue: own.queue, progress: own.progress) { result in
            own.completion(result)
            self.leave()
        }
    }

    /// Ends the exchange: the one who waited has been answered by another.
    private func leave() {
        _ = state.withLock { $0.finish() }
        state.withLock { $0.release() }?()
    }

    func firstToken() -> WaiterToken { WaiterToken(exchange: self, id: 0) }

    /// Takes the right to start the exchange. It is given once, and not after a cancel.
    func begin() -> Bool { state.withLock { $0.begin() } }

    /// Leaves it open whether the exchange is sent.
    func hold() { state.withLock { $0.hold() } }

    /// Takes the right to go on where that has been left open. It is not given after a cancel.
    func resume() -> Bool { state.withLock { $0.resume() } }

    /// Ends an exchange that was cancelled before it was left open.
    func finishIfCancelled() {
        if state.withLock(\.isCancelled) { finish(.failure(.cancelled)) }
    }

    /// Takes the right to put a file in its place. It is not given after a cancel.
    func beginLanding() -> Bool { state.withLock { $0.beginLanding() } }

    /// Says how to cancel the exchange from here on.
    func run(cancel: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.run(cancel: cancel) }) { cancel() }
    }

    func cancel(waiter id: Int) {
        perform(state.withLock { $0.cancel(id) })
    }

    func cancelAll() {
        perform(state.withLock { $0.cancelAll() })
    }

    private func perform(_ action: ExchangeState.CancelAction) {
        switch action {
        case .nothing: break
        case .dismiss(let waiter):
            (waiter.queue ?? .main).async { waiter.answer(.failure(.cancelled)) }
        case .finish: finish(.failure(.cancelled))
        case .stop(let stop): stop()
        }
    }

    /// Ends the exchange with what `makeResult` makes, which is called only if this call ends it.
    /// `before` runs first where the completions run. Returns whether this call ended the exchange.
    @discardableResult
    func finish(
        _ makeResult: @autoclosure () -> Result<Response, MoyaError>,
        before: (@Sendable (Result<Response, MoyaError>) -> Void)? = nil
    ) -> Bool {
        guard let waiters = state.withLock({ $0.finish() }) else { return false }
        let result = makeResult()
        let answer: @Sendable () -> Void = { [self] in
            before?(result)
            for waiter in waiters {
                if waiter.queue === queue {
                    waiter.answer(result)
                } else {
                    (waiter.queue ?? .main).async { waiter.answer(result) }
                }
            }
            state.withLock { $0.release() }?()
        }
        if answersInPlace { answer() } else { (queue ?? .main).async(execute: answer) }
        return true
    }
}

/// Cancels one waiter's part in an exchange.
struct WaiterToken: Cancellable {
    let exchange: Exchange
    let id: Int
    private let wasCancelled = Locked(false)

    init(exchange: Exchange, id: Int) {
        self.exchange = exchange
        self.id = id
    }

    var isCancelled: Bool { wasCancelled.withLock { $0 } }

    func cancel() {
        wasCancelled.withLock { $0 = true }
        exchange.cancel(waiter: id)
    }
}
