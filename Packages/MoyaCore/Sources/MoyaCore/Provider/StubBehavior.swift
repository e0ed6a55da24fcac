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

    /// Seconds until the sample response. `nil` where the request is sent.
    var delay: TimeInterval? {
        switch self {
        case .never: nil
        case .immediate: 0
        case .delayed(let seconds): seconds.isFinite ? min(max(0, seconds), 1e6) : 0
        }
    }
}
