import Foundation
import MoyaCore

/// Options of a resumable download.
public struct ResumableDownloadOptions: Sendable {
    /// Options for moving the file to its destination.
    public var placement: DownloadOptions
    /// Maximum number of connections for a large file. More than one are used only if the server
    /// supports range requests and sends a strong validator. Values below 1 mean 1.
    public var connections: Int
    /// Expected digest of the file. Digests from the server (RFC 9530) are verified as well.
    public var checksum: Checksum?
    /// Identity of the file, for URLs that change: a presigned URL has a different query each time.
    /// A download is resumed only if its identity is the same. `nil`, the default, uses the URL.
    public var identity: String?
    /// Retries after network failures and for overloaded servers.
    public var retry: TransferRetry
    /// Clock for the delays between attempts.
    public var clock: any MoyaClock

    /// Minimum number of bytes for each connection.
    var minimumSegment: Int64 = 1 << 20
    /// Number of bytes between saves of the state. At most these bytes are lost with the power, or,
    /// with several connections, with the process.
    var savingInterval: Int64 = 8 << 20

    /// Creates options. By default one connection, five consecutive attempts, and an error for an
    /// existing file.
    public init(
        placement: DownloadOptions = [], connections: Int = 1, checksum: Checksum? = nil,
        identity: String? = nil, retry: TransferRetry = TransferRetry(),
        clock: any MoyaClock = .system
    ) {
        self.placement = placement
        self.connections = connections
        self.checksum = checksum
        self.identity = identity
        self.retry = retry
        self.clock = clock
    }
}

/// Completed download.
public struct DownloadedFile: Sendable {
    /// Location of the file.
    public let file: URL
    /// Length of the file in bytes.
    public let byteCount: Int64
    /// Bytes received in this attempt.
    public let receivedByteCount: Int64
    /// Head of the last response. Its status is 206 if the response had a range of the file.
    public let head: ResponseHead
    /// Why this attempt has started again from the first byte, or `nil` if it has not. The last
    /// reason if there were several.
    public let restart: TransferRestart?
}
