import Foundation

/// Turns a transport's counts into what a ``ProgressBlock`` takes.
///
/// An upload task reports what has been sent, every other what has been received. Each report
/// has a `Progress` of its own, so that one that is looked at later has not moved on.
struct ProgressReporter: Sendable {
    private let block: ProgressBlock
    private let isUpload: Bool
    /// Where reports arrive. `nil` is where they are made.
    private let queue: DispatchQueue?
    private let last = Locked<(completed: Int64, total: Int64?)>((0, nil))

    init(_ block: @escaping ProgressBlock, for endpoint: Endpoint, on queue: DispatchQueue?) {
        self.block = block
        self.queue = queue
        isUpload = if case .upload = endpoint.task.body { true } else { false }
    }

    var handler: @Sendable (TransferProgress) -> Void {
        { progress in
            let counts =
                isUpload
                ? (progress.bytesSent, progress.bytesToSend)
                : (progress.bytesReceived, progress.bytesToReceive)
            let isNews = last.withLock { last in
                defer { last = counts }
                return last != counts
            }
            guard isNews, counts.0 > 0 else { return }
            let report = ProgressResponse(progress: Self.progress(counts))
            if let queue { queue.async { block(report) } } else { block(report) }
        }
    }

    /// The last report, with the response. Made where the completion runs.
    func finish(_ result: Result<Response, MoyaError>) {
        let counts = last.withLock { $0 }
        block(ProgressResponse(progress: Self.progress(counts), response: try? result.get()))
    }

    private static func progress(_ counts: (completed: Int64, total: Int64?)) -> Progress {
        // A total below zero is Foundation's way to say that it is not known.
        let progress = Progress.discreteProgress(totalUnitCount: counts.total ?? -1)
        progress.completedUnitCount = counts.completed
        return progress
    }
}
