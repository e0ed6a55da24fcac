import Foundation
import MoyaCore

/// How a resumable download is made.
public struct ResumableDownloadOptions: Sendable {
    /// How the file is put in its place.
    public var placement: DownloadOptions
    /// How many connections share a large file. More than one are used only where the server takes requests
    /// for parts and has a strong validator. 1 or less is one.
    public var connections: Int
    /// The digest the file has to have. Digests that the server sends (RFC 9530) are checked as well.
    public var checksum: Checksum?
    /// What identifies the file on the server, where its URL does not: the URL of a presigned download has another query each
    /// time. An unfinished download goes on only where this is the same. `nil` takes the URL.
    public var identity: String?
    /// How often the network may fail.
    public var retry: TransferRetry
    /// Clock of the pauses.
    public var clock: any MoyaClock

    /// The fewest bytes worth a connection.
    var minimumSegment: Int64 = 1 << 20
    /// How many bytes may be lost if the power is, and with several connections also if the process is killed.
    var savingInterval: Int64 = 8 << 20

    /// Unless you say otherwise: one connection, five attempts in a row, and a file that is there already is an error.
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

/// A file that has arrived whole.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public let file: URL
    /// How long it is.
    public let byteCount: Int64
    /// How many of its bytes came this time.
    public let receivedByteCount: Int64
    /// The head of the last response: a part of the file has status 206.
    public let head: ResponseHead
}
