import Foundation

/// Whether and when a request is stubbed with its endpoint's sample response.
public enum StubBehavior: Sendable, Equatable {
    /// Sends the request.
    case never
    /// Responds without a delay. Without a callback queue, the completion runs before `request`
    /// returns.
    case immediate
    /// Responds after a delay in seconds. A delay that is negative or not finite counts as 0; the
    /// maximum is 1,000,000.
    case delayed(seconds: TimeInterval)

    /// The queue of a completion. `nil` completes an immediate stub on the caller's thread.
    func completionQueue(_ queue: DispatchQueue?) -> DispatchQueue? {
        self == .immediate ? queue : queue ?? .main
    }

    /// The delay of the sample response, in seconds. `nil` if the request is sent.
    var delay: TimeInterval? {
        switch self {
        case .never: nil
        case .immediate: 0
        case .delayed(let seconds): seconds.isFinite ? min(max(0, seconds), 1e6) : 0
        }
    }
}
