import Foundation
import MoyaCore

/// Reason why a download failed, other than the network.
public struct DownloadError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// Category of the failure.
    public enum Reason: Sendable, Equatable {
        /// The file does not match its checksum. The file has been removed.
        case checksumMismatch
        /// The given checksum is malformed.
        case invalidChecksum
        /// Another download, possibly of another process, has the same destination.
        case inUse
        /// The request's method is not GET, so its response cannot be requested in ranges.
        case notResumable
        /// The server's responses to range requests contradict each other.
        case inconsistentServer
    }

    /// Category of the failure.
    public let reason: Reason
    /// Message with the cause and advice.
    public let description: String
    /// The same text as ``description``.
    public var errorDescription: String? { description }

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    static func slice(_ head: ResponseHead) -> DownloadError {
        DownloadError(
            .inconsistentServer,
            "The server responded with the status 200, which means the whole file, and with the "
                + "Content-Range \(head.contentRangeText), which is not the whole body of the "
                + "response. A response with a part of the file needs the status 206.")
    }
}
