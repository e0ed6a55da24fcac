import Foundation

/// What a later attempt has to know of an upload.
struct UploadState: Codable, Equatable, Sendable {
    private var version = 1
    /// A digest of where the upload was created.
    let source: String
    /// Where the server keeps it.
    let upload: URL
    let identity: FileIdentity

    init(source: String, upload: URL, identity: FileIdentity) {
        self.source = source
        self.upload = upload
        self.identity = identity
    }

    /// Whether the upload is one of this file, to this place.
    func fits(_ source: String, _ identity: FileIdentity) -> Bool {
        version == 1 && self.source == source && self.identity == identity
    }
}

/// Keeps the states of uploads, for other processes as well.
struct UploadStates: Sendable {
    private let url: URL

    /// - Parameter folder: Where. `nil` is beside the file.
    init(for file: URL, source: String, in folder: URL?) {
        // One for each pair of file and place.
        let name = PartialState.source(of: file.standardizedFileURL.path + "\n" + source)
        url = (folder ?? file.deletingLastPathComponent())
            .appendingPathComponent(".\(name).moya-upload.json")
    }

    func load() -> UploadState? {
        (try? Data(contentsOf: url)).flatMap {
            try? JSONDecoder().decode(UploadState.self, from: $0)
        }
    }

    func save(_ state: UploadState) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let new = url.appendingPathExtension(UUID().uuidString)
        // For its owner's eyes alone: who knows the upload's URL may write to it.
        let isMade = FileManager.default.createFile(
            atPath: new.path, contents: try encoder.encode(state),
            attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CocoaError(.fileWriteUnknown) }
        try FileSync.file(new)
        guard rename(new.path, url.path) == 0 else { throw POSIXError.last }
    }

    func remove() { unlink(url.path) }
}
