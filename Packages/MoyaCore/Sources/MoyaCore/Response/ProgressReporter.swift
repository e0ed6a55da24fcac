import Foundation
import MoyaInternals

/// Converts a transport's ``TransferProgress`` into calls of a ``ProgressBlock``, until
/// ``finish(_:)``.
///
/// Reports bytes sent for an upload task, and bytes received for all other tasks. Each report has a
/// new `Progress`, so a report that the caller keeps does not change.
final class ProgressReporter: Sendable {
    private typealias Counts = (completed: Int64, total: Int64?)

    private struct State {
        var last: Counts = (0, nil)
        var isFinished = false
    }

    private let block: ProgressBlock
    private let isUpload: Bool
    /// The queue of the reports.
    private let queue: DispatchQueue
    private let state = Locked(State())

    /// - Parameter isUpload: Whether to report bytes sent.
    init(_ block: @escaping ProgressBlock, isUpload: Bool, on queue: DispatchQueue) {
        self.block = block
        self.queue = queue
        self.isUpload = isUpload
    }

    @Sendable func report(_ progress: TransferProgress) {
        let counts =
            isUpload
            ? (progress.bytesSent, progress.bytesToSend)
            : (progress.bytesReceived, progress.bytesToReceive)
        let isNews = state.withLock { state in
            defer { state.last = counts }
            return !state.isFinished && state.last != counts
        }
        guard isNews, counts.0 > 0 else { return }
        let report = ProgressResponse(progress: Self.progress(counts))
        queue.async { [self] in
            // The request may have finished after this report was enqueued.
            if !state.withLock(\.isFinished) { block(report) }
        }
    }

    /// Makes the last report, with the response, unless the request was cancelled. Call it where
    /// the completion runs.
    func finish(_ result: Result<Response, MoyaError>) {
        let counts = state.withLock { state in
            state.isFinished = true
            return state.last
        }
        if case .failure(.underlying(URLError.cancelled, _)) = result { return }
        block(ProgressResponse(progress: Self.progress(counts), response: try? result.get()))
    }

    private static func progress(_ counts: Counts) -> Progress {
        // Foundation represents an unknown total as a negative number.
        let progress = Progress.discreteProgress(totalUnitCount: counts.total ?? -1)
        progress.completedUnitCount = counts.completed
        return progress
    }
}
