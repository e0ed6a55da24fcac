import Foundation

/// How far a file has come, how fast it goes and how long it may take.
public struct FileProgress: Sendable, Equatable {
    /// The bytes that are there, those of earlier attempts included.
    public var completedBytes: Int64
    /// The length of the file, where it is known.
    public var totalBytes: Int64?
    /// The rate of the last few seconds. `nil` before there is anything to go by.
    public var bytesPerSecond: Double?

    /// For code that shows progress of its own, in a ``ProgressBar`` for example. `nil` is what is not known.
    public init(completedBytes: Int64, totalBytes: Int64? = nil, bytesPerSecond: Double? = nil) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// From 0 to 1, and 1 for an empty file. `nil` where the length of the file is not known.
    public var fractionCompleted: Double? {
        totalBytes.map { $0 > 0 ? max(0, min(1, Double(completedBytes) / Double($0))) : 1 }
    }

    /// Seconds until the last byte, if the rate stays as it is. `nil` where the length or the rate is not known,
    /// and where nothing moves.
    public var estimatedSecondsRemaining: TimeInterval? {
        guard let totalBytes, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        return Double(max(0, totalBytes - completedBytes)) / bytesPerSecond
    }
}

/// Measures a rate over the last seconds, without a clock of its own.
struct RateMeter: Sendable {
    /// Seconds after which a byte counts for a third of what it did.
    private static let memory: TimeInterval = 3
    /// The fewest seconds a measurement takes. Chunks come in bursts.
    private static let interval: TimeInterval = 0.2

    private var start: (bytes: Int64, time: TimeInterval)?
    private(set) var bytesPerSecond: Double?

    /// - Parameters:
    ///   - bytes: How many there are.
    ///   - time: Seconds since some moment.
    mutating func measure(_ bytes: Int64, at time: TimeInterval) {
        guard let start, bytes >= start.bytes else {
            // The beginning, or a new one.
            self = RateMeter()
            start = (bytes, time)
            return
        }
        let elapsed = time - start.time
        guard elapsed >= Self.interval else { return }
        let rate = Double(bytes - start.bytes) / elapsed
        let weight = 1 - exp(-elapsed / Self.memory)
        bytesPerSecond = bytesPerSecond.map { $0 + weight * (rate - $0) } ?? rate
        self.start = (bytes, time)
    }
}

/// Calls a handler with the progress of a file, one report at a time and in order.
final class FileProgressReporter: @unchecked Sendable {
    // Safe: `lock` guards all that changes.
    private let lock = NSLock()
    private var meter = RateMeter()
    private let handler: (@Sendable (FileProgress) -> Void)?

    init(_ handler: (@Sendable (FileProgress) -> Void)?) { self.handler = handler }

    /// - Parameter look: Reads the progress, under the lock that orders reports.
    func report(_ look: () -> (bytes: Int64, total: Int64?)) {
        guard let handler else { return }
        lock.lock()
        defer { lock.unlock() }
        let (bytes, total) = look()
        meter.measure(bytes, at: ProcessInfo.processInfo.systemUptime)
        handler(
            FileProgress(
                completedBytes: bytes, totalBytes: total, bytesPerSecond: meter.bytesPerSecond))
    }
}
