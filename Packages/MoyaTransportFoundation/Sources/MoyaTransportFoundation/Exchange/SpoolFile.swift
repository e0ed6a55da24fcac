import Foundation
import MoyaCore
import MoyaInternals

/// Temporary file with a streamed request body.
///
/// URLSession's `InputStream` bodies are not used: URLSession reads them on the queue of all its
/// exchanges, and on Linux treats a stream as ended whenever it has no bytes available.
final class SpoolFile: Sendable {
    let url: URL

    private init(_ url: URL) {
        self.url = url
    }

    deinit { remove() }

    /// Removes the file. `deinit` does so as well.
    func remove() {
        unlink(url.path)
    }

    /// Writes `stream` to a temporary file, for an exchange of `delegate`'s session.
    ///
    /// - Throws: Errors of the stream; `URLError` if the file cannot be written, the deadline
    ///   passes, the task is cancelled or the session is closed.
    static func make(
        _ stream: RequestBodyStream, _ context: SendContext, for delegate: SessionDelegate
    ) async throws -> SpoolFile {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-body-\(RandomID.uuid().uuidString)")
        let writer = SpoolWriter(try NewFile(url))
        try await delegate.run(writer, of: stream, context)
        return SpoolFile(url)
    }
}
