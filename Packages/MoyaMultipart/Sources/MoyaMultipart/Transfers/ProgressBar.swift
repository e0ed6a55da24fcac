import Foundation
import MoyaCore
import MoyaInternals

/// Shows the progress of a transfer: a bar with bytes, rate and remaining time in a terminal, and a
/// few plain lines in other output.
///
/// ```swift
/// let bar = ProgressBar("image.iso")
/// _ = try await provider.resumableDownload(.image, to: file, progress: bar.show)
/// ```
public final class ProgressBar: Sendable {
    private let title: String
    private let output: FileHandle
    private let isTerminal: Bool
    private let state = Locked((meter: RateMeter(), schedule: Schedule()))

    /// Creates a progress bar.
    ///
    /// - Parameters:
    ///   - title: Name of the transfer. Control and bidirectional control characters are removed.
    ///   - output: File handle to write to. The default, standard error, keeps standard output free
    ///     for the program's output.
    public init(_ title: String, to output: FileHandle = .standardError) {
        self.title = ProgressLine.printable(title)
        self.output = output
        isTerminal = isatty(output.fileDescriptor) == 1
    }

    /// Shows the progress of a resumable download or upload. Can be called on any thread.
    @Sendable public func show(_ progress: FileProgress) {
        show(progress, isOver: progress.fractionCompleted == 1)
    }

    /// Shows the progress of any request. Can be called on any thread.
    @Sendable public func show(_ response: ProgressResponse) {
        let counts = response.progressObject
        let total = counts.flatMap { $0.totalUnitCount >= 0 ? $0.totalUnitCount : nil }
        let progress = FileProgress(
            completedBytes: counts?.completedUnitCount ?? 0, totalBytes: total)
        show(progress, isOver: response.completed)
    }

    private func show(_ progress: FileProgress, isOver: Bool) {
        let now = ProcessInfo.processInfo.systemUptime
        // Written under the lock, so that lines stay in order.
        state.withLock { state in
            if let restart = progress.restart {
                state.schedule = Schedule()
                let line = ProgressLine.printable("\(title): starts again. \(restart)")
                return write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n")
            }
            var progress = progress
            if progress.bytesPerSecond == nil {
                state.meter.measure(progress.completedBytes, at: now)
                progress.bytesPerSecond = state.meter.bytesPerSecond
            }
            guard
                state.schedule.isDue(progress, isOver: isOver, isTerminal: isTerminal, at: now)
            else { return }
            let line = ProgressLine(title: title, progress: progress)
            write(
                isTerminal
                    ? "\r" + line.text(width: width) + (isOver ? "\n" : "")
                    : line.plainText + "\n")
        }
    }

    private func write(_ text: String) {
        // A failed write, for example to a closed terminal, must not fail the transfer.
        try? output.write(contentsOf: Data(text.utf8))
    }

    /// Width of the terminal in columns. 80 if unknown.
    private var width: Int {
        var size = winsize()
        guard ioctl(output.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// Decides when the output is updated. Does no I/O.
    struct Schedule {
        private var lastTime: TimeInterval?
        private var lastQuarter = -1
        private var isOver = false

        mutating func isDue(
            _ progress: FileProgress, isOver: Bool, isTerminal: Bool, at now: TimeInterval
        ) -> Bool {
            // The final state is shown once.
            guard !self.isOver else { return false }
            self.isOver = isOver
            guard isTerminal else {
                let quarter = Int((progress.fractionCompleted ?? 0) * 4)
                defer { lastQuarter = max(quarter, lastQuarter) }
                return quarter > lastQuarter || isOver && lastQuarter < 4
            }
            // At most ten updates a second.
            guard isOver || now - (lastTime ?? -1) >= 0.1 else { return false }
            lastTime = now
            return true
        }
    }
}
