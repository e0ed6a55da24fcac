import Foundation
import MoyaCore

/// Start or end of a request.
public enum ExchangeEvent: Sendable {
    /// The request is about to be sent.
    case began(TransportRequest)
    /// The request ended after `duration` seconds: with the last byte, if the response's body is a
    /// stream. The response's metrics have the duration of each step.
    case ended(
        TransportRequest, Result<TransportResponse, any Error>, duration: TimeInterval)
}

extension Transport {
    /// Wraps this transport in a layer that reports the start and the end of each request to
    /// `listener`, each exactly once. `listener` is called on an arbitrary thread and must not
    /// block.
    public func observing(
        clock: any MoyaClock = .system, _ listener: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> some Transport {
        observing(clock: clock, if: { true }, listener)
    }

    /// Like ``observing(clock:_:)``, for the requests that begin while `isNeeded` returns `true`.
    func observing(
        clock: any MoyaClock, if isNeeded: @escaping @Sendable () -> Bool,
        _ listener: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> some Transport {
        Layer { request in
            guard isNeeded() else { return try await send(request) }
            listener(.began(request))
            let start = clock.uptime
            return try await perform {
                try await send(request)
            } whenEnded: { outcome in
                listener(.ended(request, outcome, duration: clock.uptime - start))
            }
        }
    }
}
