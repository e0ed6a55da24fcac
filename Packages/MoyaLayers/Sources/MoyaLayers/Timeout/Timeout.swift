import Foundation
import MoyaCore

extension Transport {
    /// This transport, each exchange over after `seconds` at the latest, however steadily bytes move.
    ///
    /// `URLRequest.timeoutInterval` starts again with each byte; this does not. Around other layers it bounds
    /// them all: their waits, their attempts. Where the body is a stream, the time ends with the response's head: how long
    /// to listen is the reader's to say. A request that takes longer fails with `URLError(.timedOut)`, and a
    /// ``DeadlineError`` inside.
    ///
    /// - Parameter seconds: A time that is not finite is no bound.
    public func timingOut(
        after seconds: TimeInterval, clock: any MoyaClock = .system
    ) -> some Transport {
        Layer { request in
            try await withDeadline(seconds, clock: clock, url: request.urlRequest.url) {
                try await send(request)
            }
        }
    }
}
