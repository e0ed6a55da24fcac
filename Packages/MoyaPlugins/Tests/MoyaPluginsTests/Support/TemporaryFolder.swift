import Foundation

/// A folder for the time of a test.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "plugins-\(UUID().uuidString)", isDirectory: true)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A file in it that is not there yet.
    func file() -> URL { url.appendingPathComponent(UUID().uuidString) }
}
