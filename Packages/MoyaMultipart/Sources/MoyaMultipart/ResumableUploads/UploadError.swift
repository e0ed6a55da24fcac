import Foundation

/// Reason why a resumable upload failed, other than the network.
public struct UploadError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// Category of the failure.
    public enum Reason: Sendable, Equatable {
        /// The file changed during the upload. The next attempt starts from the beginning.
        case fileChanged
        /// The server does not support tus 1.0, or violates the protocol.
        case inconsistentServer
        /// The server directs the upload to another origin.
        case otherOrigin
        /// A name in ``ResumableUploadOptions/metadata`` is not valid in the protocol.
        case metadataName
    }

    /// Category of the failure.
    public let reason: Reason
    /// Message with the cause and advice.
    public let description: String
    /// The same text as ``description``.
    public var errorDescription: String? { description }

    static func fileChanged(_ file: URL) -> UploadError {
        UploadError(
            reason: .fileChanged,
            description: "The file \(file.path) changed while it was uploaded. Upload it again.")
    }

    static func inconsistent(_ what: String) -> UploadError {
        UploadError(
            reason: .inconsistentServer,
            description: "\(what) Is this the URL of a server of the tus protocol, version 1.0?")
    }

    static func metadataName(_ name: String) -> UploadError {
        UploadError(
            reason: .metadataName,
            description:
                "\(name.debugDescription) is not a valid name in the metadata of an upload. Use "
                + "one or more ASCII characters, without spaces and commas.")
    }

    static func otherOrigin(_ url: URL) -> UploadError {
        UploadError(
            reason: .otherOrigin,
            description:
                "The server directs the upload to another origin (host: \(url.host ?? "none")). "
                + "The target's header fields, which may contain secrets, would be sent there. To "
                + "allow it, set allowsOtherOrigins.")
    }
}
