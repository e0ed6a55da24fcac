import Foundation

/// A temporary folder for a test. Removed when this object is released, or when the test process
/// ends.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Creates an empty folder.
    public init() throws {
        var parent = FileManager.default.temporaryDirectory
        #if os(macOS) || os(Linux)
            if let reaper = ProcessReaper.shared { parent = reaper.folder }
        #endif
        // Short, because of the limited length of Unix socket paths.
        url = parent.appendingPathComponent("\(UUID().uuidString.prefix(8))", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the URL of a file in the folder, without creating the file.
    public func file(_ name: String = UUID().uuidString) -> URL { url.appendingPathComponent(name) }

    /// Writes `data` to the file `name` in the folder and returns its URL.
    public func file(_ name: String, _ data: Data) throws -> URL {
        let file = file(name)
        try data.write(to: file)
        return file
    }

    /// Names of the folder's files, sorted.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
