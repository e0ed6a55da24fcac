import Foundation
import MoyaInternals

/// File beside the destination that receives the bytes of a download, and its saved state. A file
/// lock limits it to one download at a time, across processes.
final class PartialFile: Sendable {
    var url: URL { file.url }
    private let file: OwnFile
    private let state: StateFile

    private var descriptor: Int32 { file.descriptor }

    /// Opens or creates the file. Removes another user's file, or an object that is not a regular
    /// file, first. A file with a second link is finished: the process was killed between link and
    /// unlink. It is removed.
    ///
    /// - Throws: ``DownloadError`` if another download uses the file; ``FileTransferError``, also
    ///   for a file that cannot be removed; a POSIX error.
    init(for destination: URL) throws {
        let (url, stateURL) = Self.places(for: destination)
        state = StateFile(url: stateURL)
        do {
            file = try OwnFile(url) { descriptor in
                guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                    guard errno == EWOULDBLOCK else { throw POSIXError.last }
                    throw DownloadError(
                        .inUse, "A download to \(destination.path) is under way already.")
                }
            }
        } catch let error as POSIXError where error.code == .EBUSY {
            throw DownloadError(.inUse, "Another process keeps replacing \(url.path).")
        } catch let error as POSIXError {
            throw FileTransferError.failed("Cannot open", url, error)
        }
    }

    // Closing alone may not release the lock: a child process that has been forked, but has not yet
    // called exec, still holds the descriptor and with it the lock.
    deinit { unlock() }

    /// Releases the lock. The file must not be used afterwards.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Returns hidden names beside `destination`, short enough for every file system.
    private static func places(for destination: URL) -> (URL, URL) {
        let folder = destination.deletingLastPathComponent()
        var name = destination.lastPathComponent
        if name.utf8.count > 200 { name = Digester.sha256(of: name) }
        return (
            folder.appendingPathComponent(".\(name).moya-part"),
            folder.appendingPathComponent(".\(name).moya-part.json")
        )
    }

    var length: Int64 {
        get throws {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw POSIXError.last }
            return Int64(status.st_size)
        }
    }

    func write(_ data: Data, at offset: Int64) throws {
        try data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = pwrite(
                    descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
                if count > 0 {
                    written += count
                } else if errno != EINTR {
                    throw FileTransferError.failed("Cannot write to", url)
                }
            }
        }
    }

    /// Truncates the file to `count` bytes.
    func truncate(to count: Int64) throws {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw POSIXError.last }
    }

    // MARK: State

    /// Returns the saved state, or `nil` if it is missing or invalid.
    func loadState() throws -> PartialState? { try state.load(PartialState.self) }

    /// Saves the state, after synchronising the bytes that it describes with the disk.
    func save(_ new: PartialState) throws {
        guard fsync(descriptor) == 0 else { throw POSIXError.last }
        try state.save(new)
    }

    /// Empties the file and removes its state.
    func startOver() throws {
        // The bytes are removed first. If the process ends in between, the state does not match an
        // empty file, and the next attempt starts from the beginning.
        try truncate(to: 0)
        state.remove()
    }

    /// Moves the file to its destination.
    ///
    /// - Throws: ``FileTransferError``, also if another file has replaced this one.
    func place(at destination: URL, replaces: Bool) throws {
        guard file.isInPlace else {
            throw FileTransferError(description: "\(url.path) was replaced during the download.")
        }
        try FilePlacement(replaces: replaces).move(url, to: destination)
        state.remove()
    }

    /// Removes the file and its state, unless another file has replaced this one.
    func discard() {
        guard file.isInPlace else { return }
        unlink(url.path)
        state.remove()
    }

    /// Returns the owner of the partial download to `destination`, or `nil` if there is no such
    /// file.
    static func ownership(for destination: URL) -> Ownership? {
        Ownership(of: places(for: destination).0)
    }

    /// Whether a partial download to `destination` exists that can be resumed.
    static func isResumable(for destination: URL) -> Bool {
        let (url, stateURL) = places(for: destination)
        var status = stat()
        guard lstat(url.path, &status) == 0, Ownership(status) == .own, status.st_nlink == 1,
            let state = try? StateFile(url: stateURL).load(PartialState.self),
            let segments = state.segments(of: state.source, fileLength: Int64(status.st_size))
        else { return false }
        return segments.contains { $0.done > 0 }
    }
}
