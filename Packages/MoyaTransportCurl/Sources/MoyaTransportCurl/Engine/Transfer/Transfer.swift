#if CURL
import CMoyaCurl
import MoyaCore
import MoyaInternals

/// A request that is sent with libcurl: the request, the waiting sender, and its state
/// (``TransferState``). Each try to send it with libcurl is an ``Attempt``.
final class Transfer: @unchecked Sendable {
    // Safe: it passes from the sender to the loop's thread and back in the order below. A cancel
    // reaches the loop as a command, possibly before the transfer: then the loop uses `state` only.
    let request: TransportRequest
    /// The request's URL, stored because `URLRequest.url` is slow.
    let url: URL?
    /// The request's observer.
    let observer: (@Sendable (ExchangeEvent) -> Void)?
    /// Idle timeout, in seconds.
    let idleTimeout: Double
    /// Deadline of the whole exchange, in nanoseconds of ``LoopClock``.
    let deadline: UInt64
    /// Whether the deadline is the request's own.
    private let hasOwnDeadline: Bool
    let loop: CurlLoop
    /// The result, accessed with a lock: ThreadSanitizer does not detect the ordering of a
    /// continuation.
    private var outcome: Result<TransportResponse, any Error>?
    /// Resumes the sender. `nil` once taken.
    var continuation: UnsafeContinuation<Void, Never>?
    // Safe, as in `CurlDriver`: a transition calls nothing.
    @exclusivity(unchecked) var state = TransferState<Attempt>()
    /// The transfer's connection in the queue's count. `nil` if connections are multiplexed or not
    /// limited.
    var place: ConnectionPlace?
    /// When it began to wait for a connection, in nanoseconds, if it is observed.
    var queuedSince: UInt64?
    /// The timer for its timeouts.
    var timer: TimerHeap<Transfer>.Timer?
    var repeats = Repeats()
    var descriptorClaim = DescriptorClaim()
    /// A request body stream that can be read only once, and that an earlier attempt has not read
    /// from.
    var unreadSource: BodySource?
    /// The destination of a streamed response body. `nil` if the body is not streamed.
    var stream: ResponseStream?

    init(_ request: TransportRequest, deadline: ExchangeDeadline, on loop: CurlLoop) {
        self.request = request
        url = request.urlRequest.url
        observer = request.observer
        idleTimeout = request.urlRequest.timeoutInterval
        self.loop = loop
        self.deadline = deadline.time
        hasOwnDeadline = deadline.isOfRequest
    }

    /// The running attempt. `nil` before the transfer starts, while it waits and after its end.
    var attempt: Attempt? { state.attempt }

    // The result passes from the loop's thread to the sender's in this order:
    //
    // 1. The sender sets `stream` and `continuation`, and submits the transfer. From then on only
    //    the loop's thread uses it.
    // 2. When the loop has the result, `settle` takes the continuation, so that no later end can
    //    resume it, and stores the result in `outcome`.
    // 3. The loop resumes the continuation at the end of its round, with those of the other
    //    finished transfers.
    // 4. The sender takes the result out of `outcome`.
    //
    // For a streamed response, `deliverHead` does steps 2 and 3 at once, inside libcurl's callback,
    // when the head is complete. From then on the sender runs concurrently with the transfer. It
    // holds the stream's channel, which has its own lock, and reaches the transfer only by
    // commands. Later, `settle` finds no continuation, and ends the channel.
    //
    // If the loop rejects the transfer in step 1, the sender still owns it and does steps 2 and 3.
    // For a transfer that the loop finds in its inbox when it ends, the loop does them.

    /// Stores the result and resumes the sender. Does nothing more than end the stream if the
    /// sender has been resumed before.
    func finish(_ result: Result<TransportResponse, any Error>) { settle(result)?.resume() }

    /// Like ``finish(_:)``, but returns the continuation for the caller to resume. `nil` if the
    /// sender has been resumed before.
    func settle(
        _ result: Result<TransportResponse, any Error>
    ) -> UnsafeContinuation<Void, Never>? {
        unreadSource.take()?.close()
        defer { stream.take()?.close(result) }
        guard let continuation = continuation.take() else { return nil }
        store(result)
        return continuation
    }

    /// Stores the result for the sender.
    func store(_ result: Result<TransportResponse, any Error>) {
        SharedLocks.withLock(of: self) { outcome = result }
    }

    /// The number of files that an attempt keeps open.
    var fileCount: Int {
        var count = 0
        switch request.body {
        case .file: count += 1
        // A form reads its files one after the other.
        case .stream(let stream) where stream.makeReader != nil: count += 1
        default: break
        }
        if case .file = request.destination { count += 1 }
        return count
    }

    /// When its wait for a connection times out.
    func waitingDue(_ limits: TimeLimits) -> UInt64 {
        guard let since = state.waitingSince else { return deadline }
        return min(deadline, limits.waitEnd(since: since))
    }

    /// The timeout that has expired while it waits.
    func waitTimeout(now: UInt64, _ limits: TimeLimits) -> Timeout {
        if deadline <= now { return .whole(seconds: limits.exchange) }
        if case .waiting(.descriptor) = state.phase { return .descriptor }
        return .connection
    }

    /// Whether the request's body is a stream, which may be readable only once.
    var hasStream: Bool { if case .stream = request.body { true } else { false } }

    /// The error of a timeout that has expired.
    func error(of timeout: Timeout) -> URLError {
        if case .whole = timeout, hasOwnDeadline, let deadline = request.deadline {
            return deadline.error(url: url)
        }
        return timeout.error(url)
    }

    /// Why a request that the server has refused is not repeated.
    var refusalText: String {
        "The server refused the request without processing it"
            + (hasStream
                ? ". It was not repeated, because its body is a stream."
                : ", and refused the retry too.")
    }

    /// The list of the request's trailer fields, which the caller frees. `nil` if it has none.
    func makeTrailers() throws -> UnsafeMutablePointer<curl_slist>? {
        guard case .stream(let stream) = request.body, let trailers = stream.trailers?() else {
            return nil
        }
        try RequestValidation.validate(trailers)
        return try CurlLibrary.makeList(trailers.map { "\($0.name): \($0.value)" })
    }

    /// A body source for `stream`, which resumes the transfer when bytes arrive.
    func makeSource(_ stream: RequestBodyStream) -> BodySource {
        // A server that responds before the body leaves a stream unread that can be read only once.
        let isExpected = request.urlRequest.value(forHTTPHeaderField: "Expect") != nil
        return BodySource(stream, startsAtRead: isExpected) { [self] in
            loop.proceed(self, with: .sending)
        }
    }

    /// Takes the result after the sender has been resumed.
    func takeOutcome() throws -> TransportResponse {
        // Removed from `outcome`, because releasing the last reference to a stream ends its
        // exchange.
        guard let taken = SharedLocks.withLock(of: self, { outcome.take() }) else {
            throw URLError(.unknown)
        }
        return try taken.get()
    }
}

/// Reasons why a transfer has been started again. They bound the number of repetitions. A server
/// may have processed the earlier requests only if the request is idempotent.
struct Repeats {
    /// Number of times libcurl offered a connection whose certificate had not been evaluated.
    var unevaluatedCount = 0
    /// Whether it was started again because of ``Restart/unusableConnection``.
    var metUnusableConnection = false
    /// Whether the proxy required another authentication scheme than expected.
    var hasOtherProxyScheme = false
    /// Whether the server closed the connection before it responded, or refused the request.
    var lostServer = false
    /// Whether it was started again, or its idle timeout began again, because it waited inside
    /// libcurl while no connection to its host was in use.
    var waitedForConnection = false
}

extension ConnectionQueue<Transfer> {
    /// Frees the place of a transfer. Returns the queued transfer that takes it, for its start.
    mutating func leave(_ transfer: Transfer, now: UInt64) -> Transfer? {
        var leaving = transfer.place.take()
        while let place = leaving, let (next, place) = leave(place, now: now) {
            if next.state.takeTurn() {
                next.place = place
                return next
            }
            leaving = place
        }
        return nil
    }
}

/// The state of a transfer.
///
/// ```
///             ┌─────────────startOver─────────────┐
///             ▼                                   │
/// submitted ─accept▶ turn ───────run──────▶ running
///                   │ ▲ │                         │
///                wait │ wait                      │
///                   │ takeTurn                    │
///                   ▼ │ ▼                         │
///          connection descriptor ◀──────wait──────┘
/// ```
/// `turn`, `connection` and `descriptor` are what a waiting transfer waits for. `end` leads to
/// `done` from these and from running; `accept` does so if the transfer was cancelled before. A
/// transfer ends once.
///
/// A transition from any other state changes nothing and returns `false`. The caller then takes
/// back what it was about to give the transfer.
struct TransferState<Attempt> {
    enum Phase {
        /// The sender still owns it. A cancel sets the flag, and the loop ends the transfer when it
        /// accepts it.
        case submitted(isCancelled: Bool)
        case waiting(Wait)
        case running(Attempt)
        case done
    }

    /// The event that a transfer waits for.
    enum Wait {
        /// A free connection.
        case connection(ConnectionTicket)
        /// A free file descriptor.
        case descriptor(ListPosition)
        /// Only its start, which the loop has scheduled.
        case turn
    }

    private(set) var phase = Phase.submitted(isCancelled: false)
    /// When it began to wait for a connection or a descriptor, in nanoseconds. Reset when an
    /// attempt had a connection.
    private(set) var waitingSince: UInt64?
    /// When it began to wait for a descriptor, in nanoseconds.
    private(set) var descriptorWaitSince: UInt64?

    var attempt: Attempt? { if case .running(let attempt) = phase { attempt } else { nil } }

    /// Whether the loop has scheduled its start.
    var hasTurn: Bool { if case .waiting(.turn) = phase { true } else { false } }

    private var isRunning: Bool { if case .running = phase { true } else { false } }

    /// The loop accepts the transfer. Returns `false` if it was cancelled before, and has ended.
    mutating func accept() -> Bool {
        guard case .submitted(let isCancelled) = phase else { return false }
        phase = isCancelled ? .done : .waiting(.turn)
        return !isCancelled
    }

    /// The transfer waits for a connection.
    mutating func wait(for ticket: ConnectionTicket, since now: UInt64) -> Bool {
        guard hasTurn else { return false }
        phase = .waiting(.connection(ticket))
        waitingSince = waitingSince ?? now
        return true
    }

    /// The transfer waits for a descriptor, before its start or after an attempt that found none.
    mutating func wait(for ticket: ListPosition, since now: UInt64) -> Bool {
        guard hasTurn || isRunning else { return false }
        phase = .waiting(.descriptor(ticket))
        waitingSince = waitingSince ?? now
        descriptorWaitSince = descriptorWaitSince ?? now
        return true
    }

    /// The transfer has the connection or descriptor that it waited for.
    mutating func takeTurn() -> Bool {
        guard case .waiting = phase, !hasTurn else { return false }
        phase = .waiting(.turn)
        return true
    }

    mutating func run(_ attempt: Attempt) -> Bool {
        guard hasTurn else { return false }
        phase = .running(attempt)
        return true
    }

    /// Starts the transfer again with another attempt.
    ///
    /// - Parameter since: When it began to wait, in nanoseconds. `nil` if the attempt before had a
    ///   connection, which ended the wait.
    mutating func startOver(waitingSince since: UInt64? = nil) -> Bool {
        guard isRunning else { return false }
        phase = .waiting(.turn)
        (waitingSince, descriptorWaitSince) = (since, nil)
        return true
    }

    /// The wait so far was not for a connection in use, and does not count.
    mutating func restartWait(at now: UInt64) { waitingSince = now }

    /// Ends the transfer. Returns its last phase, for the loop to free what it held. The loop skips
    /// a start that it has scheduled. `done` if it had ended already, or the sender still owns it.
    mutating func end() -> Phase {
        guard case .submitted = phase else { return exchange(&phase, with: .done) }
        phase = .submitted(isCancelled: true)
        return .done
    }
}
#endif
