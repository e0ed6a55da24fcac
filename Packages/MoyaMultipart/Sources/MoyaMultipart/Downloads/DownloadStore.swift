import Foundation
import MoyaCore
import MoyaInternals

/// Partial file of a download and its state, in memory and on disk.
final class DownloadStore: Sendable {
    let partial: PartialFile
    let state = Locked(DownloadState())
    /// Digest of the file's identity: the URL, or the `identity` option. Bytes with another
    /// identity are not resumed.
    private let source: String
    /// Lock held while the state is written. Several connections save it concurrently.
    private let saving = Locked(())

    /// - Throws: ``DownloadError``, ``FileTransferError``, a POSIX error: see
    ///   ``PartialFile/init(for:)``.
    init(for file: URL, from source: String) throws {
        self.source = Digester.sha256(of: source)
        partial = try PartialFile(for: file)
    }

    /// Loads the state of an earlier attempt, or starts with an empty file. Returns why bytes that
    /// are present are not used.
    ///
    /// - Throws: ``FileTransferError``, a POSIX error. The bytes are kept if the state cannot be
    ///   read.
    func load() throws -> TransferRestart? {
        let length = try partial.length
        if let saved = try partial.loadState(),
            let segments = saved.segments(of: source, fileLength: length)
        {
            if segments.count == 1 { try partial.truncate(to: segments[0].offset) }
            state.withLock { $0.resume(saved, segments) }
            return nil
        }
        try partial.startOver()
        return length > 0 ? .savedStateUnusable : nil
    }

    /// Saves the state for a later attempt.
    func save() async throws {
        try await DiskWork.perform { [self] in
            try saving.withLock { _ in
                guard let saved = state.withLock({ $0.saved(source) }) else { return }
                try partial.save(saved)
            }
        }
    }

    /// Saves the state if a later attempt can resume, and removes the partial file otherwise.
    func keep() async {
        guard state.withLock(\.isResumable) else { return discard() }
        // The caller receives the error that ended the attempt, not an error of saving. Without a
        // saved state, the next attempt starts from the beginning.
        try? await save()
    }

    /// Empties the file, because its bytes do not belong to the server's current version.
    func startAnew() throws {
        try partial.startOver()
        state.withLock { $0.startOver() }
    }

    /// Removes the partial file, because its bytes are wrong or useless. Call only after all writes
    /// have finished.
    func discard() {
        partial.discard()
        state.withLock { $0.startOver() }
    }
}
