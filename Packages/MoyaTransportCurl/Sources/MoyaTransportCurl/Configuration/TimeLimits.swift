#if CURL
import Foundation

/// A configuration's timeouts, as the loop compares them. Reading them from the configuration would
/// copy it, which takes a hundredth of a request.
struct TimeLimits {
    /// The timeout of the whole exchange, in seconds. Infinite if there is none.
    let exchange: TimeInterval
    /// The timeout of the first byte. `nil` if there is none.
    let firstByte: (seconds: TimeInterval, nanoseconds: UInt64)?
    private let connectionWait: UInt64?

    init(_ configuration: CurlTransport.Configuration) {
        exchange = configuration.exchangeTimeout ?? .infinity
        firstByte = configuration.firstByteTimeout.flatMap { seconds in
            LoopClock.nanoseconds(seconds).map { (seconds, $0) }
        }
        connectionWait = configuration.connectionWaitTimeout.flatMap(LoopClock.nanoseconds)
    }

    /// When a wait for a connection that began at `since` times out. `.max` if it does not.
    func waitEnd(since: UInt64) -> UInt64 {
        connectionWait.map { since &+ $0 } ?? .max
    }
}
#endif
