import Foundation
import MoyaInternals

/// What a later attempt has to know of an upload.
struct UploadState: Codable, Equatable, Sendable {
    var version = 1
    /// A digest of where the upload was created.
    let source: String
    /// Where the server keeps it.
    let upload: URL
    let identity: FileIdentity

    /// Whether the upload is one of this file, to this place.
    func fits(_ source: String, _ identity: FileIdentity) -> Bool {
        version == 1 && self.source == source && self.identity == identity
    }
}

extension StateFile {
    /// Keeps the state of an upload, for other processes as well.
    ///
    /// - Parameter folder: Where. `nil` is beside the file.
    init(for file: URL, source: String, in folder: URL?) {
        // One for each pair of file and place.
        let name = Digester.sha256(of: file.standardizedFileURL.path + "\n" + source)
        let folder = folder ?? file.deletingLastPathComponent()
        self.init(url: folder.appendingPathComponent(".\(name).moya-upload.json"))
    }
}
