/// Why a resumable transfer starts again from its first byte, although bytes were transferred
/// before.
public struct TransferRestart: Sendable, Equatable, CustomStringConvertible {
    /// Category of the reason.
    public enum Reason: Sendable, Equatable {
        /// The local file has changed since an earlier attempt to upload it.
        case fileChanged
        /// The server has another version of the file, has deleted the upload, or its responses do
        /// not match the bytes already transferred.
        case serverChanged
        /// The transfer cannot be resumed: the server sends no strong validator or a compressed
        /// body, or the saved state of the earlier attempt cannot be used.
        case notResumable
    }

    /// Category of the reason.
    public let reason: Reason
    /// The reason in a sentence.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
