import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A body that came in pieces, in a temporary file from which it can be sent.
///
/// URLSession wants such a body as an `InputStream`, which it reads on the queue of all its exchanges and, on Linux,
/// takes for ended whenever it has nothing to give at once.
final class SpoolFile: Sendable {
    let url: URL

    private init(_ url: URL) {
        self.url = url
    }

    deinit { remove() }

    /// Removes the file. It goes with this, too.
    func remove() {
        unlink(url.path)
    }

    /// Writes `stream` to a file, piece by piece.
    ///
    /// - Throws: What the stream throws; `URLError` for a file that cannot be written, and when `deadline` comes or
    ///   the task is cancelled meanwhile.
    static func make(_ stream: RequestBodyStream, by deadline: Deadline?) async throws -> SpoolFile
    {
        guard let deadline else { return try await write(stream) }
        return try await withThrowingTaskGroup(of: SpoolFile.self) { group in
            group.addTask { try await write(stream) }
            group.addTask {
                try await Task.sleep(nanoseconds: deadline.nanosecondsLeft)
                throw deadline.error(url: nil)
            }
            defer { group.cancelAll() }
            guard let file = try await group.next() else { throw URLError(.unknown) }
            return file
        }
    }

    private static func write(_ stream: RequestBodyStream) async throws -> SpoolFile {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-body-\(UUID().uuidString)")
        var file = try NewFile(url)
        do {
            for try await chunk in try stream.makeChunks() {
                try chunk.withUnsafeBytes { try file.write($0) }
            }
            // A sequence whose task is cancelled ends like any other.
            if Task.isCancelled { throw URLError(.cancelled) }
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
        return SpoolFile(url)
    }
}
