import Foundation

/// Whether and when a request is answered with its endpoint's sample response.
public enum StubBehavior: Sendable, Equatable {
    /// The request is sent.
    case never
    /// The sample response, at once. Without a callback queue, before `request` returns.
    case immediate
    /// The sample response, after this many seconds.
    case delayed(seconds: TimeInterval)
}
