import Foundation
import MoyaCore

/// What happens to an exchange.
public enum ExchangeEvent: Sendable {
    /// It is about to begin.
    case began(TransportRequest)
    /// It is over, `duration` seconds later: with the last byte, where the response's body is a stream. How long
    /// each step took is in the response's metrics.
    case ended(
        TransportRequest, Result<TransportResponse, any Error>, duration: TimeInterval)
}

extension Transport {
    /// This transport, telling `listener` when exchanges begin and end, each once, whatever becomes of them. It is called by
    /// whatever thread, and must not block.
    public func observing(
        clock: any MoyaClock = .system, _ listener: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> some Transport {
        Layer { request in
            listener(.began(request))
            let start = clock.uptime
            return try await perform {
                try await send(request)
            } whenOver: { outcome in
                listener(.ended(request, outcome, duration: clock.uptime - start))
            }
        }
    }
}
