import Foundation

/// A folder for the time of a test. It goes with the object, or with the process of the tests.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        var parent = FileManager.default.temporaryDirectory
        #if os(macOS) || os(Linux)
            if let reaper = ProcessReaper.shared { parent = reaper.folder }
        #endif
        // Short, for sockets in it.
        url = parent.appendingPathComponent("\(UUID().uuidString.prefix(8))", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A file in it that is not there yet.
    public func file(_ name: String = UUID().uuidString) -> URL { url.appendingPathComponent(name) }

    /// Writes a file in it.
    public func file(_ name: String, _ data: Data) throws -> URL {
        let file = file(name)
        try data.write(to: file)
        return file
    }

    /// What is in it, in order.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
