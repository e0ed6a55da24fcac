#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// One request on its way to its response: what is asked for, who waits, and where it is (``TransferState``). What belongs to
/// one try of libcurl's is an ``Attempt``.
///
/// The sender makes it and submits it to the loop: from then on only the loop's thread touches it.
final class Transfer: @unchecked Sendable {
    // Safe to send: the sending task sets `continuation` before it submits the transfer, and the inbox's lock orders that
    // before the loop takes it. A cancel reaches the loop as a command, also before that: then the loop touches `state` alone.
    let request: TransportRequest
    /// The request's. Foundation takes its time to hand it out.
    let url: URL?
    /// Idle timeout, in seconds.
    let idleTimeout: Double
    /// Deadline of the whole exchange, in nanoseconds of ``LoopClock``.
    let deadline: UInt64
    let loop: any TransferLoop
    /// The result. Behind a lock, which hands it from the loop to the sender in a way that ThreadSanitizer can see; what a
    /// continuation does is hidden from it.
    let outcome = Locked<Result<TransportResponse, any Error>?>(nil)
    var continuation: UnsafeContinuation<Void, Never>?
    @exclusivity(unchecked) var state = TransferState<Attempt>()
    /// The connection that it counts for. `nil` where connections are shared, or their number is not limited.
    var place: ConnectionPlace?
    /// Has its timeouts checked.
    var timer: TimerHeap<Transfer>.Timer?
    var repeats = Repeats()
    var descriptorClaim = DescriptorClaim()
    /// A request body that can be read once, and is still whole after an attempt.
    var unreadSource: BodySource?
    /// Where the response's body goes, where it is read while it arrives.
    var stream: ResponseStream?

    init(_ request: TransportRequest, deadline: UInt64, on loop: any TransferLoop) {
        self.request = request
        url = request.urlRequest.url
        idleTimeout = request.urlRequest.timeoutInterval
        self.loop = loop
        self.deadline = deadline
    }

    var attempt: Attempt? { state.attempt }

    // The result crosses from the loop's thread to the sender's in this order:
    //
    // 1. The sender sets `stream` and `continuation`, and submits the transfer. From then on only the loop's thread touches it.
    // 2. The loop has the result: `settle` takes the continuation out, so that no later end finds one, and puts the result
    //    into `outcome`.
    // 3. The loop resumes the continuation at the end of its round, with those of all others that have ended.
    // 4. The sender runs again and takes the result out of `outcome`.
    //
    // Of a stream, `deliverHead` does steps 2 and 3 at once, inside libcurl's callback, when the head is whole. The sender may run
    // from then on, beside the transfer: it holds the stream's channel, which has a lock of its own, and reaches the transfer by
    // commands alone. `settle` then finds no continuation, and ends the channel.
    //
    // Where the loop refuses the transfer in step 1, it is still the sender's, and the sender does steps 2 and 3. A transfer that the
    // loop finds in its inbox when it ends gets them from the loop without having been taken.

    /// Hands over the result, once.
    func finish(_ result: Result<TransportResponse, any Error>) {
        settle(result)?.resume()
    }

    /// Does the same, but leaves it to the caller to resume the sender. `nil` where the sender has been resumed before.
    func settle(
        _ result: Result<TransportResponse, any Error>
    ) -> UnsafeContinuation<Void, Never>? {
        unreadSource?.close()
        unreadSource = nil
        defer {
            stream?.close(result)
            stream = nil
        }
        guard let continuation else { return nil }
        self.continuation = nil
        outcome.withLock { $0 = result }
        return continuation
    }

    /// Number of files that an attempt keeps open.
    var fileCount: Int {
        var count = 0
        switch request.body {
        case .file: count += 1
        // A form may have files in it, of which one is open.
        case .stream(let stream) where stream.makeReader != nil: count += 1
        default: break
        }
        if case .file = request.destination { count += 1 }
        return count
    }

    /// The result, once the sender has been resumed.
    func takeOutcome() throws -> TransportResponse {
        // Taken out: a stream ends its exchange when its last holder releases it.
        let taken = outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
        guard let taken else { throw URLError(.unknown) }
        return try taken.get()
    }
}

/// The loop of a transfer, as other threads see it.
protocol TransferLoop: AnyObject, Sendable {
    /// Goes on with a transfer that waited for room, or for bytes to send.
    func proceed(_ transfer: Transfer, with direction: Pause)
    func cancel(_ transfer: Transfer)
}

/// Why a transfer has been sent again, so that it is not sent without end. No server has acted on what was sent before.
struct Repeats {
    /// Number of times libcurl offered a connection whose certificate had not been evaluated.
    var unevaluatedCount = 0
    /// Whether the connection it was about to use held unsolicited data.
    var metUnsolicitedData = false
    /// Whether the server closed the connection before it answered.
    var lostServer = false
}

/// Where a transfer is between its submission and its end. Each transition returns what the loop has to do for it.
///
/// ```
/// submitted ─take─▶ waiting ─begin─▶ running
///                    ▲ ▲ │             │
///                    │ └wait           │
///                    └─wait, startOver─┘
/// ```
/// `end` leads to `done` from waiting and from running, and `take` does where a cancel has come before it.
/// A transfer ends once: from `done` on, every transition returns nothing to do.
struct TransferState<Attempt> {
    enum Phase {
        /// Its sender's. A cancel only leaves a mark: the loop ends the transfer when it takes it.
        case submitted(isCancelled: Bool)
        case waiting(Wait)
        case running(Attempt)
        case done
    }

    /// What a transfer waits for.
    enum Wait {
        /// One of the connections there may be.
        case connection(ConnectionTicket)
        /// A file descriptor of the process.
        case descriptor(ListPosition)
        /// Nothing any more: it begins when the loop is not inside of anything else.
        case turn
    }

    /// What a transfer had when it ended, to be given back.
    enum Release {
        /// It was over already, or still is its sender's.
        case nothing
        case connectionTicket(ConnectionTicket)
        case descriptorTicket(ListPosition)
        /// The loop has it on its list, and passes it over.
        case turn
        case attempt(Attempt)
    }

    private(set) var phase = Phase.submitted(isCancelled: false)
    /// Since when it has waited for a connection or a descriptor, up to an attempt that had a connection. Nanoseconds.
    private(set) var waitingSince: UInt64?
    /// Since when it has waited for a descriptor. Nanoseconds.
    private(set) var descriptorWaitSince: UInt64?

    var attempt: Attempt? {
        if case .running(let attempt) = phase { attempt } else { nil }
    }

    /// Whether it begins when its turn comes.
    var hasTurn: Bool {
        if case .waiting(.turn) = phase { true } else { false }
    }

    /// The loop takes the transfer. Returns whether it may begin: otherwise it was cancelled on the way, and is over.
    mutating func take() -> Bool {
        guard case .submitted(let isCancelled) = phase else { return false }
        phase = isCancelled ? .done : .waiting(.turn)
        return !isCancelled
    }

    /// Has a transfer that was about to begin wait for a connection.
    mutating func wait(for ticket: ConnectionTicket, since now: UInt64) {
        move(to: .waiting(.connection(ticket)))
        waitingSince = waitingSince ?? now
    }

    /// Has a transfer wait for a descriptor that was about to begin, or whose attempt has ended for want of one.
    mutating func wait(for ticket: ListPosition, since now: UInt64) {
        move(to: .waiting(.descriptor(ticket)))
        waitingSince = waitingSince ?? now
        descriptorWaitSince = descriptorWaitSince ?? now
    }

    /// The transfer has what it waited for.
    mutating func takeTurn() { move(to: .waiting(.turn)) }

    mutating func begin(_ attempt: Attempt) { move(to: .running(attempt)) }

    /// Has the transfer begin once more, with another attempt. The one before had a connection, so the waits are over.
    mutating func startOver() {
        move(to: .waiting(.turn))
        (waitingSince, descriptorWaitSince) = (nil, nil)
    }

    /// Enters the next phase, unless the transfer is over.
    private mutating func move(to next: Phase) {
        if case .done = phase { return }
        phase = next
    }

    /// Ends the transfer, for whatever reason.
    mutating func end() -> Release {
        switch phase {
        case .submitted:
            phase = .submitted(isCancelled: true)
            return .nothing
        case .waiting(let wait):
            phase = .done
            switch wait {
            case .connection(let ticket): return .connectionTicket(ticket)
            case .descriptor(let ticket): return .descriptorTicket(ticket)
            case .turn: return .turn
            }
        case .running(let attempt):
            phase = .done
            return .attempt(attempt)
        case .done: return .nothing
        }
    }
}
#endif
