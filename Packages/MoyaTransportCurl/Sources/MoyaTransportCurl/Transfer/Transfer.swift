import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way to its response: what is asked for, who waits, and where it is (``TransferState``). What belongs to
/// one try of libcurl's is an ``Attempt``.
///
/// The sender makes it and submits it to the loop: from then on only the loop's thread touches it.
final class Transfer: @unchecked Sendable {
    // Safe to send: the sending task sets `continuation` before it submits the transfer, and the inbox's lock orders that
    // before the loop's first look. A cancel reaches it as a command as well.
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
    // 1. The sender sets `continuation` and submits the transfer. From then on only the loop's thread touches it.
    // 2. The loop ends the transfer: `settle` takes the continuation out, so that no later end finds one, and puts the result
    //    into `outcome`. For a stream `deliverHead` does so when the head is whole, and `settle` then finds no continuation.
    // 3. The loop resumes the continuation, at the end of its round.
    // 4. The sender runs again and takes the result out of `outcome`.
    //
    // Where the loop refuses the transfer in step 1, it is still the sender's, and the sender does steps 2 and 3.

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
