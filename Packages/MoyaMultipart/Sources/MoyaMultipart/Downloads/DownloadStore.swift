import Foundation
import MoyaCore
import MoyaInternals

/// What there is of a file that is being downloaded: its bytes, and what is known of them, in memory and on the disk.
final class DownloadStore: Sendable {
    let partial: PartialFile
    let state = Locked(DownloadState())
    /// A digest of the URL, or of what the caller says for it. What an earlier attempt got from another one is not gone on
    /// with.
    private let source: String
    /// Held while the state is written: connections save it whenever one of them has got enough.
    private let saving = NSLock()

    /// - Throws: ``DownloadError``, ``FileTransferError``, a POSIX error: see ``PartialFile/init(for:)``.
    init(for file: URL, from source: String) throws {
        self.source = Digester.sha256(of: source)
        partial = try PartialFile(for: file)
    }

    /// Takes up what an earlier attempt has left, or begins with an empty file.
    func load() throws {
        let length = try partial.length
        if let saved = partial.loadState(),
            let segments = saved.segments(of: source, fileLength: length)
        {
            if segments.count == 1 { try partial.truncate(to: segments[0].offset) }
            state.withLock { $0.resume(saved, segments) }
        } else {
            try partial.startOver()
        }
    }

    /// Writes what a later attempt has to know.
    func save() async throws {
        try await DiskWork.perform { [self] in
            saving.lock()
            defer { saving.unlock() }
            guard let saved = state.withLock({ $0.saved(source) }) else { return }
            try partial.save(saved)
        }
    }

    /// Keeps what a later attempt can go on with, and removes what none can.
    func keep() async {
        guard state.withLock(\.isResumable) else { return discard() }
        // The caller gets the error that ends the attempt, not one of saving: without a state, the next attempt starts
        // from the beginning.
        try? await save()
    }

    /// Empties the file: what is there is of no use for what the server has now.
    func startAnew() throws {
        try partial.startOver()
        state.withLock { $0.startOver() }
    }

    /// Removes what is there: it is wrong from an unknown byte on. Only once all writes are over.
    func discard() {
        partial.discard()
        state.withLock { $0.startOver() }
    }
}
