import Foundation
import MoyaInternals

/// The transport's side of a streamed response: passes bytes to the reader of a
/// ``ResponseBodyStream`` with back-pressure.
///
/// ```swift
/// let writer = ResponseBodyWriter(
///     resume: { connection.startReading() }, stop: { connection.close() })
/// let body = ResponseBodyStream(writer)
/// // As bytes arrive, on one thread:
/// if !writer.offer(bytes) { connection.pauseReading() }  // offer them again after `resume`
/// writer.finish(.success(.init(trailers: [], metrics: metrics)))
/// ```
///
/// A transport that reads in a task uses ``write(_:)`` instead:
///
/// ```swift
/// let writer = ResponseBodyWriter(stop: { connection.close() })
/// while let bytes = try await connection.read() { try await writer.write(bytes) }
/// ```
///
/// Call ``offer(_:)``, ``write(_:)`` and ``finish(_:)`` from one thread or task at a time.
public final class ResponseBodyWriter: Sendable {
    /// The trailer fields and metrics at the end of a body.
    public struct Ending: Sendable {
        /// The trailer fields (RFC 9110, section 6.5).
        public var trailers: [HeaderField]
        /// The durations and byte counts of the exchange.
        public var metrics: TransportMetrics

        /// Creates the end of a body.
        public init(trailers: [HeaderField], metrics: TransportMetrics) {
            self.trailers = trailers
            self.metrics = metrics
        }
    }

    fileprivate typealias EndAction = @Sendable (Result<Ending, any Error>) -> Void
    fileprivate typealias Continuation = UnsafeContinuation<Data?, any Error>

    /// A refused offer or suspended write that is waiting for buffer space.
    fileprivate enum Refused {
        case none
        /// An offer was refused: call `resume` when there is space.
        case offer
        case write(UnsafeContinuation<Void, Never>)
    }

    fileprivate enum Phase {
        case open
        /// No more bytes are accepted. The end actions are running, and the reader waits for them,
        /// so that their effects are visible to it.
        case ending(Result<Ending, any Error>)
        case over(Result<Ending, any Error>)
    }

    fileprivate struct State {
        var bytes = Data()
        var phase = Phase.open
        var refused = Refused.none
        var reader: Continuation?
        var whenOver: [EndAction] = []
    }

    private let state = Locked(State())
    private let capacity: Int
    private let resume: @Sendable () -> Void
    private let stop: @Sendable () -> Void

    /// - Parameters:
    ///   - capacity: Maximum number of unread bytes. A single offer may be larger.
    ///   - resume: Called once after a refused offer when there is space, on the reader's thread.
    ///     Not used with ``write(_:)``.
    ///   - stop: Called when the stream is cancelled or released before its end. The transport has
    ///     to call ``finish(_:)`` nevertheless.
    public init(
        capacity: Int = 256 << 10, resume: @escaping @Sendable () -> Void = {},
        stop: @escaping @Sendable () -> Void
    ) {
        self.capacity = capacity
        self.resume = resume
        self.stop = stop
    }

    // MARK: The transport's side

    /// Accepts `bytes`, unless there are unread bytes and both together exceed the capacity.
    ///
    /// - Returns: `false` if the bytes were not accepted. Offer them again after `resume`.
    public func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, reader) = state.withLock { state in
            guard state.outcome == nil else { return (true, Continuation?.none) }
            if let reader = state.reader {
                state.reader = nil
                return (true, reader)
            }
            guard state.bytes.isEmpty || state.bytes.count + bytes.count <= capacity
            else {
                state.refused = .offer
                return (false, nil)
            }
            state.bytes.append(contentsOf: bytes)
            return (true, nil)
        }
        reader?.resume(returning: Data(bytes))
        return isTaken
    }

    /// Passes `data` to the reader. Suspends until the unread bytes and `data` fit the capacity or
    /// all bytes have been read.
    ///
    /// - Throws: `URLError(.cancelled)` if the reader has ended the exchange or this task is
    ///   cancelled.
    public func write(_ data: Data) async throws {
        while !data.withUnsafeBytes(offer) {
            await waitForRoom()
            if Task.isCancelled { throw URLError(.cancelled) }
        }
        if state.withLock({ $0.outcome != nil }) { throw URLError(.cancelled) }
    }

    /// Returns when the reader has read bytes since the refused offer, the body has ended, or this
    /// task is cancelled.
    private func waitForRoom() async {
        await withTaskCancellationHandler {
            // The continuation is resumed once: by the code that removes it from the state, under
            // the lock.
            await withUnsafeContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard case .offer = state.refused else { return false }
                    state.refused = .write(continuation)
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            if case .write(let continuation) = state.withLock({ $0.takeRefused() }) {
                continuation.resume()
            }
        }
    }

    /// Ends the body. The reader reads the remaining bytes and then receives the end or the error.
    /// Only the first call has an effect.
    public func finish(_ outcome: Result<Ending, any Error>) {
        if let actions = state.withLock({ $0.end(outcome) }) { tell(actions, outcome) }
    }

    /// Runs the end actions, then resumes the waiting reader and writer.
    private func tell(_ actions: [EndAction], _ outcome: Result<Ending, any Error>) {
        for action in actions { action(outcome) }
        let (reader, last, writer) = state.withLock { $0.close(outcome) }
        reader?.resume(with: last.map { _ in nil })
        writer?.resume()
    }

    // MARK: The reader's side

    /// The trailers and metrics of a body that ended without an error.
    var ending: Ending? { state.withLock { try? $0.outcome?.get() } }

    /// Calls `action` once, with the outcome of the body when it has ended.
    func whenOver(_ action: @escaping @Sendable (Result<Ending, any Error>) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.whenOver.append(action) }
            return state.outcome
        }
        if let outcome { action(outcome) }
    }

    /// Returns all unread bytes, or waits for the next ones. `nil` after the last byte.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            // The continuation is resumed once: by the code that removes it from the state, under
            // the lock.
            try await withUnsafeThrowingContinuation { continuation in
                self.read(with: continuation)
            }
        } onCancel: {
            cancel()
        }
    }

    private func read(with continuation: Continuation) {
        enum Next {
            case bytes(Data, Refused)
            case end(Result<Data?, any Error>)
            case later
        }
        let next: Next = state.withLock { state in
            if !state.bytes.isEmpty {
                defer { state.bytes = Data() }
                return .bytes(state.bytes, state.takeRefused())
            }
            if case .over(let outcome) = state.phase { return .end(outcome.map { _ in nil }) }
            guard state.reader == nil else {
                let text = "The body of a response is read by two tasks at once."
                return .end(.failure(URLError(.cannotDecodeRawData, text, url: nil)))
            }
            state.reader = continuation
            return .later
        }
        switch next {
        case .bytes(let data, let refused):
            switch refused {
            case .none: break
            case .offer: resume()
            case .write(let writer): writer.resume()
            }
            continuation.resume(returning: data)
        case .end(let result): continuation.resume(with: result)
        case .later: break
        }
    }

    /// Discards unread bytes and ends the exchange.
    ///
    /// - Parameter error: The reader's error.
    func cancel(throwing error: URLError = URLError(.cancelled)) {
        let failure: Result<Ending, any Error> = .failure(error)
        // Under one lock: otherwise a reader could take the end of a truncated body for the end of
        // a complete one.
        let actions = state.withLock { state in
            if !state.bytes.isEmpty { state.replaceOutcome(failure) }
            state.bytes = Data()
            return state.end(failure)
        }
        guard let actions else { return }
        tell(actions, failure)
        stop()
    }
}

extension ResponseBodyWriter.State {
    fileprivate typealias Outcome = Result<ResponseBodyWriter.Ending, any Error>

    /// The outcome of the body, once it has ended.
    fileprivate var outcome: Outcome? {
        switch phase {
        case .open: nil
        case .ending(let outcome), .over(let outcome): outcome
        }
    }

    fileprivate mutating func takeRefused() -> ResponseBodyWriter.Refused {
        defer { refused = .none }
        return refused
    }

    /// Ends the body, once. Returns the actions to run before ``close(_:)``.
    fileprivate mutating func end(_ outcome: Outcome) -> [ResponseBodyWriter.EndAction]? {
        guard case .open = phase else { return nil }
        phase = .ending(outcome)
        defer { whenOver = [] }
        return whenOver
    }

    /// Replaces the outcome of an ended body for its reader.
    fileprivate mutating func replaceOutcome(_ outcome: Outcome) {
        switch phase {
        case .open: break
        case .ending: phase = .ending(outcome)
        case .over: phase = .over(outcome)
        }
    }

    /// Called after the end actions. Returns the waiting reader and writer, and the body's outcome
    /// for the reader.
    fileprivate mutating func close(
        _ outcome: Outcome
    ) -> (ResponseBodyWriter.Continuation?, Outcome, UnsafeContinuation<Void, Never>?) {
        let last = self.outcome ?? outcome
        phase = .over(last)
        defer { reader = nil }
        guard case .write(let writer) = refused else { return (reader, last, nil) }
        refused = .none
        return (reader, last, writer)
    }
}
