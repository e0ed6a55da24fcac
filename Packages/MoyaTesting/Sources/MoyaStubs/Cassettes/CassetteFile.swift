import Foundation
import MoyaCore
import MoyaInternals

/// A cassette cannot be read or written, or has no episode for a request. The text names the
/// request, the recorded episodes, the nearest of them, and how to record.
public struct CassetteError: Error, LocalizedError, CustomStringConvertible {
    /// The problem, and its solution.
    public let description: String
    /// The ``description``.
    public var errorDescription: String? { description }
}

/// File of a cassette, readable only by its owner. Replaced atomically.
final class CassetteFile: Sendable {
    private let url: URL
    /// Serial queue for writes, because disk I/O would block the tasks that wait.
    private let queue = DispatchQueue(label: "moya.cassette")
    /// The version in the file. Used only on `queue`; the lock is for `Sendable`.
    private let writtenVersion = Locked(0)

    init(_ url: URL) {
        self.url = url
    }

    /// Returns the archive in the file, or `nil` if the file does not exist.
    static func load(_ url: URL) throws -> HARArchive? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw CassetteError(
                description: "The cassette \(url.path) cannot be read: "
                    + "\((error as NSError).localizedDescription)")
        }
        return try HARArchive(data, name: url.lastPathComponent)
    }

    /// Writes the archive that `current` returns, unless this version or a later one is already
    /// written. Calls `current` on the queue, so that one write includes the episodes of all
    /// callers that wait.
    func save(_ current: @escaping @Sendable () -> (HARArchive, version: Int)) async throws {
        try await DiskWork.perform(on: queue) { [self] in try write(current()) }
    }

    private func write(_ current: (archive: HARArchive, version: Int)) throws {
        guard writtenVersion.withLock({ $0 }) < current.version else { return }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let draft = url.appendingPathExtension("part-\(RandomID.uuid().uuidString)")
            let data = try current.archive.encoded()
            // Readable only by its owner, because masking may miss a secret.
            try NewFile.replace(url, by: draft) { try $0.write(data) }
        } catch {
            throw CassetteError(
                description: "The cassette \(url.path) cannot be written: "
                    + "\((error as NSError).localizedDescription)")
        }
        writtenVersion.withLock { $0 = current.version }
    }
}
