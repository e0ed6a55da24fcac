import Foundation
import MoyaCore

extension Transport {
    /// Wraps this transport in a layer that sets a deadline: each request ends after at most
    /// `seconds`.
    ///
    /// `URLRequest.timeoutInterval` is an idle timeout that restarts with each byte. This deadline
    /// does not restart. Around other layers it bounds all their waits and attempts: they find it
    /// in `TransportRequest.deadline`. If the body is a stream, the deadline applies until the
    /// response's head, and the layers inside do not know it. A request that exceeds it fails with
    /// `URLError(.timedOut)`, with a `DeadlineError` as its underlying error.
    ///
    /// - Parameter seconds: Deadline, in seconds. An infinite or NaN value means no deadline.
    public func timingOut(
        after seconds: TimeInterval, clock: any MoyaClock = .system
    ) -> some Transport {
        Layer(around: self) { request in
            try await request.timingOut(after: seconds, clock: clock) { try await send($0) }
        }
    }
}
