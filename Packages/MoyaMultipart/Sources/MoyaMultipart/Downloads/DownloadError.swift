import Foundation

/// Why a download could not be finished, where it was not the network.
public struct DownloadError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// What kind of thing was wrong.
    public enum Reason: Sendable, Equatable {
        /// The file is another one than the checksum says. It has been removed.
        case checksumMismatch
        /// The checksum itself is none.
        case invalidChecksum
        /// Another download, maybe of another process, has the same place.
        case inUse
        /// A request that cannot be asked for in parts: its method is not GET.
        case notResumable
        /// The server's answers do not fit together.
        case inconsistentServer
    }

    /// What kind of thing was wrong.
    public let reason: Reason
    /// What was wrong, and what to do.
    public let description: String
    public var errorDescription: String? { description }

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
