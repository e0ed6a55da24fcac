import MoyaCore
import MoyaInternals

/// Records progress reports.
public final class ProgressLog: Sendable {
    private let reports = Locked<[TransferProgress]>([])

    /// Creates an empty log.
    public init() {}

    /// Records a report. Pass it as the `progress` of a request.
    @Sendable public func note(_ progress: TransferProgress) {
        reports.withLock { $0.append(progress) }
    }

    /// Numbers of bytes sent, in the order of the reports.
    public var sent: [Int64] { reports.withLock { $0.map(\.bytesSent) } }
    /// Numbers of bytes received, in the order of the reports.
    public var received: [Int64] { reports.withLock { $0.map(\.bytesReceived) } }
    /// The last report.
    public var last: TransferProgress? { reports.withLock { $0.last } }
}
