import Foundation

/// Whether and when a request is answered with its endpoint's sample response.
public enum StubBehavior: Sendable, Equatable {
    /// The request is sent.
    case never
    /// The sample response, at once. Without a callback queue, before `request` returns.
    case immediate
    /// The sample response, after this many seconds: at once if that is not positive or not finite, and
    /// after 1,000,000 at most.
    case delayed(seconds: TimeInterval)

    /// Not a number, for ever or a past time: a stub answers all the same, in some finite time.
    static func finite(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isFinite ? min(max(0, seconds), 1e6) : 0
    }
}
