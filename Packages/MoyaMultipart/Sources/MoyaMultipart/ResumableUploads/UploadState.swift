import Foundation
import MoyaInternals

/// Saved state of an upload.
struct UploadState: Codable, Equatable, Sendable {
    var version = 1
    /// Digest of the URL that created the upload.
    let source: String
    /// URL of the upload on the server.
    let upload: URL
    let identity: FileIdentity

    /// Whether the state belongs to the given file and creation URL.
    func fits(_ source: String, _ identity: FileIdentity) -> Bool {
        version == 1 && self.source == source && self.identity == identity
    }
}

extension StateFile {
    /// Creates the state file of an upload.
    ///
    /// - Parameter folder: Folder of the state file. `nil` uses the folder of the uploaded file.
    init(for file: URL, source: String, in folder: URL?) {
        // The name is unique for each pair of file and creation URL.
        let name = Digester.sha256(of: file.standardizedFileURL.path + "\n" + source)
        let folder = folder ?? file.deletingLastPathComponent()
        self.init(url: folder.appendingPathComponent(".\(name).moya-upload.json"))
    }
}

extension TransferRestart {
    static let fileChanged = TransferRestart(
        .fileChanged, "The file has changed since the earlier attempt.")

    /// The saved URL is no HTTP URL, or of an origin that the options do not allow.
    static let uploadURLUnusable = TransferRestart(
        .notResumable, "The saved URL of the upload cannot be used with these options.")

    static let otherUpload = TransferRestart(
        .serverChanged,
        "The server's response for the upload has no valid Upload-Offset, or the length of another "
            + "file.")

    /// The server rejects requests for the upload: 404 or 410 if it has deleted the upload.
    static func uploadRefused(_ status: Int) -> TransferRestart {
        TransferRestart(
            .serverChanged,
            "The server no longer has the upload: it responded with the status \(status).")
    }
}
