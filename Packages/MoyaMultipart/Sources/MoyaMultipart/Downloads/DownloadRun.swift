import Foundation
import MoyaCore
import MoyaInternals

/// One attempt to get a file whole, out of what is there and as many exchanges as it takes.
final class DownloadRun: Sendable {
    private let requester: Requester
    private let place: FixedDestination
    private let options: ResumableDownloadOptions
    private let reporter: FileProgressReporter
    private let store: DownloadStore

    /// - Throws: ``DownloadError``, ``FileTransferError``, a POSIX error: what would be in the way.
    init(
        _ requester: Requester, to place: FixedDestination, options: ResumableDownloadOptions,
        reporter: FileProgressReporter
    ) throws {
        guard requester.method == .get else {
            throw DownloadError(
                .notResumable, "Only what a GET answers can be downloaded in parts.")
        }
        try place.prepareFolder()
        self.requester = requester
        self.place = place
        self.options = options
        self.reporter = reporter
        store = try DownloadStore(for: place.file, from: options.identity ?? requester.url)
    }

    /// Once.
    func run() async throws -> DownloadedFile {
        // The caller may start the next download at once, when work that is done may not have released the file yet.
        defer { store.partial.unlock() }
        try store.load()
        var restarts = 0
        while true {
            do {
                // Copies of the file that do not agree about its parts may each be good as a whole.
                let connections = restarts == 0 ? options.connections : 1
                try await DownloadFetch(
                    requester, into: store, options: options, reporter: reporter,
                    connections: connections
                ).run()
                return try await finish()
            } catch is ResourceChanged {
                restarts += 1
                guard restarts <= options.retry.attempts else {
                    throw DownloadError(
                        .inconsistentServer,
                        "The server's answers to requests for parts of the file do not fit together."
                    )
                }
                try store.startAnew()
            } catch let mismatch as ChecksumMismatch {
                store.discard()
                throw mismatch.error
            } catch {
                await store.keep()
                throw error
            }
        }
    }

    /// Checks the file and gives it its name.
    ///
    /// - Throws: `CancellationError` up to the moment it gets that.
    private func finish() async throws -> DownloadedFile {
        // There is no task where the disk is waited for, and so none to ask whether it is cancelled.
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await DiskWork.perform {
                try self.finish { if isCancelled.withLock({ $0 }) { throw CancellationError() } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
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
                "The file has \(length) bytes where \(total ?? 0) were to come.")
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
            file: place.file, byteCount: length, receivedByteCount: received, head: head)
    }
}
