import Foundation
import MoyaInternals

/// Progress of a file transfer: bytes, rate and estimated time.
public struct FileProgress: Sendable, Equatable {
    /// Bytes transferred, including earlier attempts.
    public var completedBytes: Int64
    /// Length of the file in bytes. `nil` if unknown.
    public var totalBytes: Int64?
    /// Transfer rate over the last few seconds, in bytes per second. `nil` until it has been
    /// measured.
    public var bytesPerSecond: Double?
    /// Why the transfer starts again from its first byte. `nil` in all other reports.
    public var restart: TransferRestart?

    /// Creates a value for code that reports progress itself, for example to a ``ProgressBar``.
    /// `nil` stands for an unknown value.
    public init(completedBytes: Int64, totalBytes: Int64? = nil, bytesPerSecond: Double? = nil) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// Transferred fraction, from 0 to 1; 1 for an empty file. `nil` if the length is unknown.
    public var fractionCompleted: Double? {
        totalBytes.map { $0 > 0 ? max(0, min(1, Double(completedBytes) / Double($0))) : 1 }
    }

    /// Estimated seconds until the last byte, at the current rate. `nil` if the length or rate is
    /// unknown, or the rate is 0.
    public var estimatedSecondsRemaining: TimeInterval? {
        guard let totalBytes, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        return Double(max(0, totalBytes - completedBytes)) / bytesPerSecond
    }
}

/// Exponentially weighted average of a transfer rate. The caller supplies the time.
struct RateMeter: Sendable {
    /// Time constant of the average, in seconds: after this time, a byte's weight has fallen to
    /// 1/e.
    private static let timeConstant: TimeInterval = 3
    /// Minimum time between two measurements, in seconds. Chunks arrive in bursts.
    private static let interval: TimeInterval = 0.2

    private var last: (bytes: Int64, time: TimeInterval)?
    private(set) var bytesPerSecond: Double?

    /// Updates the average. Measurements closer than `interval` to the last one are skipped.
    ///
    /// - Parameters:
    ///   - bytes: Total number of bytes so far.
    ///   - time: Seconds since a fixed reference time.
    mutating func measure(_ bytes: Int64, at time: TimeInterval) {
        guard let last, bytes >= last.bytes else {
            // The first measurement, or a transfer that has restarted.
            self = RateMeter()
            last = (bytes, time)
            return
        }
        let elapsed = time - last.time
        guard elapsed >= Self.interval else { return }
        let rate = Double(bytes - last.bytes) / elapsed
        let weight = 1 - exp(-elapsed / Self.timeConstant)
        bytesPerSecond = bytesPerSecond.map { $0 + weight * (rate - $0) } ?? rate
        self.last = (bytes, time)
    }
}

/// Calls a handler with the progress of a file. Calls are serialised and in order.
final class FileProgressReporter: Sendable {
    private let state = Locked((meter: RateMeter(), restart: TransferRestart?.none))
    private let handler: (@Sendable (FileProgress) -> Void)?

    init(_ handler: (@Sendable (FileProgress) -> Void)?) { self.handler = handler }

    /// Why the transfer has started again, the last time.
    var lastRestart: TransferRestart? { state.withLock(\.restart) }

    /// Reports that the transfer starts again from its first byte.
    func report(_ restart: TransferRestart) {
        state.withLock { state in
            state.restart = restart
            var progress = FileProgress(completedBytes: 0)
            progress.restart = restart
            handler?(progress)
        }
    }

    /// - Parameter look: Reads the progress. Runs while the lock is held, so that reports stay in
    ///   order.
    func report(_ look: () -> (bytes: Int64, total: Int64?)) {
        guard let handler else { return }
        state.withLock { state in
            let (bytes, total) = look()
            state.meter.measure(bytes, at: ProcessInfo.processInfo.systemUptime)
            handler(
                FileProgress(
                    completedBytes: bytes, totalBytes: total,
                    bytesPerSecond: state.meter.bytesPerSecond))
        }
    }
}
