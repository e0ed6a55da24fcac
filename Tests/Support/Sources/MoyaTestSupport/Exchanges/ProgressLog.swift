import MoyaCore
import MoyaInternals

/// Records progress reports.
public final class ProgressLog: Sendable {
    private let reports = Locked<[TransferProgress]>([])

    public init() {}

    @Sendable public func note(_ progress: TransferProgress) {
        reports.withLock { $0.append(progress) }
    }

    public var sent: [Int64] { reports.withLock { $0.map(\.bytesSent) } }
    public var received: [Int64] { reports.withLock { $0.map(\.bytesReceived) } }
    public var last: TransferProgress? { reports.withLock { $0.last } }
}
