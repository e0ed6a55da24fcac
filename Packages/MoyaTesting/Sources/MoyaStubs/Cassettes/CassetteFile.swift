import Foundation
import MoyaCore
import MoyaInternals

/// A cassette cannot be read or written, or has no answer to a request. Its text says what was asked, what was
/// recorded, what comes nearest and how to record it.
public struct CassetteError: Error, LocalizedError, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String
    public var errorDescription: String? { description }
}

/// The file of a cassette, which its owner alone may read. Whole at any time: a new one takes its place in one step.
final class CassetteFile: Sendable {
    private let url: URL
    /// Writes one after the other, and away from the tasks that wait.
    private let queue = DispatchQueue(label: "moya.cassette")
    private let writtenVersion = Locked(0)

    init(_ url: URL) {
        self.url = url
    }

    /// `nil` where there is no file.
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

    /// Writes what `current` gives, unless that is written already.
    func save(_ current: @escaping @Sendable () -> (HARArchive, version: Int)) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try write(current()) })
            }
        }
    }

    private func write(_ current: (archive: HARArchive, version: Int)) throws {
        guard writtenVersion.withLock({ $0 }) < current.version else { return }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // For its owner's eyes alone: no mask knows every secret.
            let draft = url.appendingPathExtension("part-\(UUID().uuidString)")
            let data = try current.archive.encoded()
            try NewFile.replace(url, by: draft) { try $0.write(data) }
        } catch {
            throw CassetteError(
                description: "The cassette \(url.path) cannot be written: "
                    + "\((error as NSError).localizedDescription)")
        }
        writtenVersion.withLock { $0 = current.version }
    }
}
