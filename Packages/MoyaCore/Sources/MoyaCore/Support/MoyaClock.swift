import Foundation

/// Time source of layers, transfers and the stubs of MoyaTesting. Tests inject a clock and advance
/// it.
///
/// ``now`` is compared with dates from servers. Durations are measured with ``uptime``, which is
/// not affected by changes of the system's date.
public protocol MoyaClock: Sendable {
    /// The current date.
    var now: Date { get }

    /// Seconds since an arbitrary point in time. Monotonic.
    var uptime: TimeInterval { get }

    /// Suspends for `seconds`. Returns immediately if `seconds` is not positive.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws

    /// Suspends for `seconds` to bound work that runs meanwhile. By default like ``sleep(for:)``. A
    /// clock of a test that ends each sleep at once lets a timeout pass only with its other sleeps.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func timeout(after seconds: TimeInterval) async throws

    /// Returns a random number from 0 to 1, by which a ``Backoff`` varies a wait.
    func randomShare() -> Double
}

extension MoyaClock {
    /// Suspends for `seconds`.
    public func timeout(after seconds: TimeInterval) async throws { try await sleep(for: seconds) }

    /// Returns a random number of the system's generator.
    public func randomShare() -> Double { .random(in: 0...1) }
}

/// The system's clock: ``MoyaClock/system``.
public struct SystemClock: MoyaClock {
    public var now: Date { Date() }
    public var uptime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        // 1e9 seconds are 31 years. A larger number of nanoseconds could overflow `UInt64`.
        try await Task.sleep(nanoseconds: UInt64(min(seconds, 1e9) * 1e9))
    }
}

extension MoyaClock where Self == SystemClock {
    /// The system's clock.
    public static var system: SystemClock { SystemClock() }
}
