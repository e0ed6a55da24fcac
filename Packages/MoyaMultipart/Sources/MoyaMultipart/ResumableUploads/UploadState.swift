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
