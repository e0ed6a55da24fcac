import Foundation

/// Why a resumable upload could not be finished, where it was not the network.
public struct UploadError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// What kind of thing was wrong.
    public enum Reason: Sendable, Equatable {
        /// The file changed while it was uploaded. The next attempt starts over.
        case fileChanged
        /// The server does not speak tus 1.0, or breaks its rules.
        case inconsistentServer
        /// The server wants the file sent to another origin.
        case otherOrigin
        /// A name in ``ResumableUploadOptions/metadata`` is none that can be sent.
        case metadataName
    }

    /// What kind of thing was wrong.
    public let reason: Reason
    /// What was wrong, and what to do.
    public let description: String
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
                "The name \(name.debugDescription) in the metadata of an upload is empty or has a space, a comma "
                + "or something in it that is not ASCII.")
    }

    static func otherOrigin(_ url: URL) -> UploadError {
        UploadError(
            reason: .otherOrigin,
            description:
                "The server wants the file sent to \(url.host ?? "another host"), maybe with all that "
                + "the target's requests carry. Set allowsOtherOrigins if that is fine.")
    }
}
