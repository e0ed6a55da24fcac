import Foundation
import MoyaCore

extension Transport {
    /// Wraps this transport in a layer that sets a deadline: each request ends after at most
    /// `seconds`.
    ///
    /// `URLRequest.timeoutInterval` is an idle timeout that restarts with each byte. This deadline
    /// does not restart. Around other layers it bounds all their waits and attempts. If the body is
    /// a stream, the deadline applies until the response's head. A request that exceeds it fails
    /// with `URLError(.timedOut)`, with a ``DeadlineError`` as its underlying error.
    ///
    /// - Parameter seconds: Deadline, in seconds. An infinite or NaN value means no deadline.
    public func timingOut(
        after seconds: TimeInterval, clock: any MoyaClock = .system
    ) -> some Transport {
        Layer(around: self) { request in
            try await withDeadline(seconds, clock: clock, url: request.urlRequest.url) {
                try await send(request)
            }
        }
    }
}
