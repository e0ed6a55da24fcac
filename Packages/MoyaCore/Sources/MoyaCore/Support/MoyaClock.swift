import Foundation

/// Time source of layers, transfers and stubs. Tests inject a clock and advance it.
///
/// A server's dates are compared with ``now``. Durations are measured with ``uptime``, which does not change when the
/// system's date is corrected.
public protocol MoyaClock: Sendable {
    /// The date.
    var now: Date { get }

    /// Seconds since an arbitrary moment. Monotonic.
    var uptime: TimeInterval { get }

    /// Returns once `seconds` have passed, at once if that is not positive.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws
}

/// The system's clock.
public struct SystemClock: MoyaClock {
    /// A clock without state. ``MoyaClock/system`` is short for it.
    public init() {}

    public var now: Date { Date() }
    public var uptime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        // 1e9 seconds are 30 years. More nanoseconds would overflow.
        try await Task.sleep(nanoseconds: UInt64(min(seconds, 1e9) * 1e9))
    }
}

extension MoyaClock where Self == SystemClock {
    /// The system's clock.
    public static var system: SystemClock { SystemClock() }
}
