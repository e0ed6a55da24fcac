import Foundation

/// The time that layers around a transport go by. Tests bring one whose hands they move themselves.
///
/// Two readings, because they answer different questions: a server's dates are compared with ``now``,
/// durations are measured with ``uptime``, which no correction of the date disturbs.
public protocol LayerClock: Sendable {
    /// The date.
    var now: Date { get }

    /// Seconds since some moment in the past. Never goes back.
    var uptime: TimeInterval { get }

    /// Returns once `seconds` have passed, at once if that is not positive.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws
}

/// The system's time.
public struct SystemClock: LayerClock {
    /// One is as good as another: `.system` is short for it.
    public init() {}

    public var now: Date { Date() }
    public var uptime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        // Beyond thirty years nobody waits, and the nanoseconds would no longer fit.
        try await Task.sleep(nanoseconds: UInt64(min(seconds, 1e9) * 1e9))
    }
}

extension LayerClock where Self == SystemClock {
    /// The system's time.
    public static var system: SystemClock { SystemClock() }
}
