import Foundation
import MoyaInternals

/// Time by which a request must end, with all that it waits for: queues, token refreshes,
/// attempts and the pauses between them, redirects, and both bodies.
///
/// ``withDeadline(after:clock:isolation:_:)`` sets the deadline of a task, and
/// ``TargetType/totalTimeout`` that of a target's requests. The earlier one applies. Layers and
/// transports find it in ``TransportRequest/deadline``. A request that is not over in time fails
/// with `URLError(.timedOut)`, whose underlying error is a ``DeadlineError``. A provider throws it
/// in ``MoyaError/underlying(_:_:)``.
public struct RequestDeadline: Sendable {
    /// The deadline of the requests that the current task begins. `nil` means no deadline.
    ///
    /// Tasks inherit it, except detached ones. A request that has to outlive its caller, such as
    /// one in the background, begins without it:
    ///
    /// ```swift
    /// RequestDeadline.$current.withValue(nil) {
    ///     _ = Task { try await provider.request(.zen) }
    /// }
    /// ```
    @TaskLocal public static var current: RequestDeadline?

    let clock: any MoyaClock
    /// In seconds of the clock's ``MoyaClock/uptime``.
    private let end: TimeInterval
    /// Time from its creation on, in seconds.
    private let seconds: TimeInterval

    /// Creates a deadline.
    ///
    /// - Parameters:
    ///   - seconds: Time from now. With 0 or less, the deadline has passed. An infinite or NaN
    ///     value never passes.
    ///   - clock: Clock that measures the time.
    public init(after seconds: TimeInterval, clock: any MoyaClock = .system) {
        self.clock = clock
        self.seconds = seconds.isNaN ? .infinity : seconds
        end = clock.uptime + self.seconds
    }

    /// Time left, in seconds. 0 once the deadline has passed.
    public var remaining: TimeInterval { max(0, end - clock.uptime) }

    /// Whether the deadline has passed.
    // A timer of the system may fire slightly early by another clock.
    public var hasPassed: Bool { remaining < 1e-3 }

    /// Returns this deadline, or `other` if that is earlier.
    public func notLater(than other: RequestDeadline?) -> RequestDeadline {
        if let other, other.remaining < remaining { other } else { self }
    }

    /// Returns the error of a request that exceeds the deadline.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - message: Replaces the description, which has the deadline's seconds.
    ///   - wasSent: See ``DeadlineError/wasSent``.
    public func error(url: URL?, _ message: String? = nil, wasSent: Bool = true) -> URLError {
        let cause = DeadlineError(seconds: seconds, wasSent: wasSent)
        return URLError(
            .timedOut, message ?? cause.errorDescription ?? "", url: url, cause: cause)
    }

    /// Returns `error`, or the error of the deadline in place of a cancellation after it.
    func attributing(_ error: any Error, url: URL?, wasSent: Bool = true) -> any Error {
        let isCancellation = error is CancellationError || (error as? URLError)?.code == .cancelled
        return isCancellation && hasPassed ? self.error(url: url, wasSent: wasSent) : error
    }

    /// The deadline of a call that begins in the current task and may take `seconds`. 0 or less
    /// sets no limit of its own.
    static func ofCall(_ seconds: TimeInterval?) -> RequestDeadline? {
        guard let seconds, seconds > 0 else { return current }
        return ofTask(seconds, nil)
    }

    /// The deadline for ``withDeadline(after:clock:isolation:_:)``.
    fileprivate static func ofTask(
        _ seconds: TimeInterval, _ clock: (any MoyaClock)?
    ) -> RequestDeadline {
        let outer = current
        return RequestDeadline(after: seconds, clock: clock ?? outer?.clock ?? .system)
            .notLater(than: outer)
    }
}

/// A request exceeded its deadline, or the timeout of a layer. It is the underlying error of the
/// thrown `URLError(.timedOut)`.
public struct DeadlineError: Error, Equatable, LocalizedError {
    /// Time that the request had, in seconds.
    public let seconds: TimeInterval
    /// Whether the request may have been sent. `false` if it ended while it waited in a queue of
    /// this library or for a token. It is not retried, and is no failure of the server.
    public internal(set) var wasSent = true

    /// The time that was exceeded.
    public var errorDescription: String? {
        "The request exceeded its total timeout of \(SecondsFormat.text(seconds))."
    }
}

/// Calls `operation`, and sets a deadline for all requests that begin in it, with their attempts
/// and waits.
///
/// ```swift
/// let profile = try await withDeadline(after: 3) {
///     let user = try await provider.request(.userProfile("ashfurrow"))
///     let zen = try await provider.request(.zen)      // has the rest of the three seconds
///     return (user, zen)
/// }
/// ```
///
/// A request that is not over in time fails with `URLError(.timedOut)`, whose underlying error is a
/// ``DeadlineError``. `operation` is not cancelled: code that does more than requests can read
/// ``RequestDeadline/current``. Of nested deadlines, the earliest applies.
///
/// - Parameters:
///   - seconds: Time from now. With 0 or less, every request fails at once. An infinite or NaN
///     value sets no deadline.
///   - clock: Clock that measures the time. `nil` is that of the surrounding deadline, otherwise
///     the system's. Transports to a network take the time that is left when they begin to send,
///     and measure it themselves.
///   - isolation: The caller's isolation, in which `operation` runs.
public func withDeadline<Value>(
    after seconds: TimeInterval, clock: (any MoyaClock)? = nil,
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value
) async rethrows -> Value {
    try await RequestDeadline.$current.withValue(
        RequestDeadline.ofTask(seconds, clock), operation: operation)
}

/// Like the asynchronous function, for requests with a completion or publisher.
///
/// The deadline applies to the requests that begin in `operation`. The request of a publisher
/// begins when it is subscribed.
public func withDeadline<Value>(
    after seconds: TimeInterval, clock: (any MoyaClock)? = nil, _ operation: () throws -> Value
) rethrows -> Value {
    try RequestDeadline.$current.withValue(
        RequestDeadline.ofTask(seconds, clock), operation: operation)
}
