import Foundation
import MoyaInternals

/// Turns a transport's counts into what a ``ProgressBlock`` takes, until ``finish(_:)``.
///
/// An upload task reports what has been sent, every other what has been received. Each report
/// has a `Progress` of its own, so that one that is looked at later has not moved on.
final class ProgressReporter: Sendable {
    private typealias Counts = (completed: Int64, total: Int64?)

    private struct State {
        var last: Counts = (0, nil)
        var isFinished = false
    }

    private let block: ProgressBlock
    private let isUpload: Bool
    /// Where reports arrive.
    private let queue: DispatchQueue
    private let state = Locked(State())

    init(_ block: @escaping ProgressBlock, for endpoint: Endpoint, on queue: DispatchQueue) {
        self.block = block
        self.queue = queue
        isUpload = if case .upload = endpoint.task.body { true } else { false }
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
            // On its way here it may have been overtaken by the answer.
            if !state.withLock(\.isFinished) { block(report) }
        }
    }

    /// Makes the last report, with the response, unless the request was cancelled. Call it where the
    /// completion runs.
    func finish(_ result: Result<Response, MoyaError>) {
        let counts = state.withLock { state in
            state.isFinished = true
            return state.last
        }
        if case .failure(.underlying(URLError.cancelled, _)) = result { return }
        block(ProgressResponse(progress: Self.progress(counts), response: try? result.get()))
    }

    private static func progress(_ counts: Counts) -> Progress {
        // A total below zero is Foundation's way to say that it is not known.
        let progress = Progress.discreteProgress(totalUnitCount: counts.total ?? -1)
        progress.completedUnitCount = counts.completed
        return progress
    }
}
