import Foundation
import MoyaCore

/// A layer that ends an exchange which takes too long, however steadily bytes move.
///
/// `URLRequest.timeoutInterval` starts again with each byte; this does not. Around other layers it bounds
/// them all: their waits, their attempts. Where the body is a stream, the time ends with the response's head: how long
/// to listen is the reader's to say.
public struct TimeoutTransport: Transport {
    let next: any Transport
    let seconds: TimeInterval
    let clock: any MoyaClock

    /// - Throws: `URLError(.timedOut)` with a ``DeadlineError`` inside, and what the transport throws.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await withDeadline(seconds, clock: clock, url: request.urlRequest.url) {
            try await next.send(request)
        }
    }
}

extension Transport {
    /// This transport, each exchange over after `seconds` at the latest. A time that is not finite is no bound.
    public func timingOut(
        after seconds: TimeInterval, clock: any MoyaClock = .system
    ) -> TimeoutTransport {
        TimeoutTransport(next: self, seconds: seconds, clock: clock)
    }
}
