import Foundation
import MoyaCore
import MoyaInternals

/// One call of `resumableDownload`: completes a partial file with as many requests as necessary.
final class DownloadRun: Sendable {
    private let requester: Requester
    private let place: FixedDestination
    private let options: ResumableDownloadOptions
    private let reporter: FileProgressReporter
    private let store: DownloadStore

    /// Opens the partial file.
    ///
    /// - Throws: ``DownloadError``, ``FileTransferError`` or a POSIX error for a method other than
    ///   GET, a destination that cannot be used, or a download in progress.
    init(
        _ requester: Requester, to place: FixedDestination, options: ResumableDownloadOptions,
        reporter: FileProgressReporter
    ) throws {
        guard requester.method == .get else {
            throw DownloadError(
                .notResumable,
                "resumableDownload requires GET, not \(requester.method.rawValue). Use a "
                    + ".download task for other methods.")
        }
        try place.prepareFolder()
        self.requester = requester
        self.place = place
        self.options = options
        self.reporter = reporter
        store = try DownloadStore(for: place.file, from: options.identity ?? requester.url)
    }

    /// Downloads the file. Call once.
    func run() async throws -> DownloadedFile {
        // Releases the lock before returning: the caller may start the next download at once, while
        // finished work still retains the file.
        defer { store.partial.unlock() }
        if let restart = try store.load() { reporter.report(restart) }
        var restarts = 0
        var restart: TransferRestart?
        while true {
            do {
                // Servers behind one host name may disagree about the file's validator or ranges.
                // After a restart, a single connection can still fetch the whole file from one
                // server.
                let connections = restarts == 0 ? options.connections : 1
                let fetch = DownloadFetch(
                    requester, into: store, options: options, reporter: reporter,
                    connections: connections)
                try await RequestNote.$current.withValue(restart?.description) {
                    try await fetch.run()
                }
                return try await finish()
            } catch let change as ResourceChanged {
                restarts += 1
                guard restarts - 1 <= options.retry.maximumRetries else {
                    throw DownloadError(
                        .inconsistentServer,
                        "The server's range responses are inconsistent. \(change.restart)")
                }
                try store.startAnew()
                reporter.report(change.restart)
                restart = change.restart
            } catch let mismatch as ChecksumMismatch {
                store.discard()
                throw mismatch.error
            } catch {
                await store.keep()
                throw error
            }
        }
    }

    /// Verifies the file and moves it to its destination.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the move.
    private func finish() async throws -> DownloadedFile {
        try await DiskWork.perform(throwing: CancellationError()) { checkCancellation in
            try self.finish(checking: checkCancellation)
        }
    }

    private func finish(checking checkCancellation: () throws -> Void) throws -> DownloadedFile {
        let (total, digest, head, received) = store.state.withLock {
            ($0.total, $0.digest, $0.head, $0.received)
        }
        let length = try store.partial.length
        guard let head, length == total else {
            throw DownloadError(
                .inconsistentServer,
                "The file has the wrong length: expected \(total ?? 0) bytes, got \(length).")
        }
        for expected in [options.checksum, digest].compactMap({ $0 }) {
            let actual = try Checksum(
                expected.algorithm, of: store.partial.url, before: checkCancellation)
            guard actual == expected else {
                throw ChecksumMismatch(expected: expected, actual: actual)
            }
        }
        try checkCancellation()
        try store.partial.place(
            at: place.file, replaces: place.options.contains(.removePreviousFile))
        reporter.report { (length, length) }
        return DownloadedFile(
            file: place.file, byteCount: length, receivedByteCount: received, head: head,
            restart: reporter.lastRestart)
    }
}
