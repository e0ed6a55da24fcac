import Foundation
import MoyaCore

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

    /// Writes `stream` to a file, piece by piece, for an exchange of `delegate`'s session.
    ///
    /// - Throws: What the stream throws; `URLError` for a file that cannot be written, and when the context's deadline
    ///   comes or the task is cancelled or the session closed meanwhile.
    static func make(
        _ stream: RequestBodyStream, _ context: SendContext, for delegate: SessionDelegate
    ) async throws -> SpoolFile {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-body-\(UUID().uuidString)")
        let writer = SpoolWriter(try NewFile(url))
        try await delegate.run(writer, of: stream, context)
        return SpoolFile(url)
    }
}
