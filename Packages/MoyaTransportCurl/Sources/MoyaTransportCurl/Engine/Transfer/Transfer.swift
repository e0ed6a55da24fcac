#if CURL
import CMoyaCurl
import MoyaCore
import MoyaInternals

/// A request that is sent with libcurl: the request, the waiting sender, and its state
/// (``TransferState``). Each try to send it with libcurl is an ``Attempt``.
///
/// The sender creates a transfer and submits it to the loop. From then on only the loop's thread
/// uses it.
final class Transfer: @unchecked Sendable {
    // Safe: the sending task sets `continuation` before it submits the transfer, and the inbox's
    // lock orders that before the loop takes it. A cancel reaches the loop as a command, possibly
    // before the transfer: then the loop uses `state` only.
    let request: TransportRequest
    /// The request's URL, stored because `URLRequest.url` is slow.
    let url: URL?
    /// Idle timeout, in seconds.
    let idleTimeout: Double
    /// Deadline of the whole exchange, in nanoseconds of ``LoopClock``.
    let deadline: UInt64
    let loop: CurlLoop
    /// The result. The lock passes it from the loop to the sender in a way that ThreadSanitizer
    /// detects; it does not detect the ordering of a continuation.
    let outcome = Locked<Result<TransportResponse, any Error>?>(nil)
    /// Resumes the sender. `nil` once taken.
    var continuation: UnsafeContinuation<Void, Never>?
    @exclusivity(unchecked) var state = TransferState<Attempt>()
    /// The transfer's connection in the queue's count. `nil` if connections are multiplexed or not
    /// limited.
    var place: ConnectionPlace?
    /// The timer for its timeouts.
    var timer: TimerHeap<Transfer>.Timer?
    var repeats = Repeats()
    var descriptorClaim = DescriptorClaim()
    /// A request body stream that can be read only once, and that an earlier attempt has not read
    /// from.
    @exclusivity(unchecked) var unreadSource: BodySource?
    /// The destination of a streamed response body. `nil` if the body is not streamed.
    var stream: ResponseStream?

    init(_ request: TransportRequest, deadline: UInt64, on loop: CurlLoop) {
        self.request = request
        url = request.urlRequest.url
        idleTimeout = request.urlRequest.timeoutInterval
        self.loop = loop
        self.deadline = deadline
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
        outcome.withLock { $0 = result }
        return continuation
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
        guard let taken = outcome.withLock({ $0.take() }) else { throw URLError(.unknown) }
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
#endif
