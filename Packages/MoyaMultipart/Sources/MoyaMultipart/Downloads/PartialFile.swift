import Foundation
import MoyaInternals

/// File beside the destination that receives the bytes of a download, and its saved state. A file
/// lock limits it to one download at a time, across processes.
final class PartialFile: Sendable {
    let url: URL
    private let state: StateFile
    private let descriptor: Int32

    /// Opens or creates the file. Removes another user's file, or an object that is not a regular
    /// file, first.
    ///
    /// - Throws: ``DownloadError`` if another download uses the file; ``FileTransferError``, also
    ///   for a file that cannot be removed; a POSIX error.
    init(for destination: URL) throws {
        let (url, stateURL) = Self.places(for: destination)
        self.url = url
        state = StateFile(url: stateURL)
        // Bounded, because another process could create the file as often as this one removes it.
        for _ in 0..<100 {
            guard let (descriptor, isNew) = try Self.open(url) else { continue }
            var isTaken = false
            defer { if !isTaken { close(descriptor) } }
            isTaken = try Self.take(descriptor, at: url, for: destination, isNew: isNew)
            guard isTaken else { continue }
            self.descriptor = descriptor
            return
        }
        throw DownloadError(.inUse, "Another process keeps replacing \(url.path).")
    }

    // Closing alone may not release the lock: a child process that has been forked, but has not yet
    // called exec, still holds the descriptor and with it the lock.
    deinit {
        unlock()
        _ = close(descriptor)
    }

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

    /// Creates the file or opens the existing one. Returns `nil` if an existing file has
    /// disappeared meanwhile.
    private static func open(_ url: URL) throws -> (descriptor: Int32, isNew: Bool)? {
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let new = Foundation.open(url.path, flags | O_CREAT | O_EXCL, 0o600)
        if new >= 0 { return (new, true) }
        guard errno == EEXIST else { throw FileTransferError.failed("Cannot open", url) }
        guard Ownership(of: url) != .noFile else {
            guard unlink(url.path) == 0 || errno == ENOENT else {
                throw FileTransferError.failed("Cannot make room at", url)
            }
            return nil
        }
        // O_NONBLOCK: if a FIFO replaces the file at this moment, open(2) must not wait for a
        // writer.
        let old = Foundation.open(url.path, flags | O_NONBLOCK)
        if old >= 0 { return (old, false) }
        guard errno == ENOENT else { throw FileTransferError.failed("Cannot open", url) }
        return nil
    }

    /// Locks the opened file. Returns `false` if it is no longer the file of that name, or has been
    /// removed because it cannot be used.
    private static func take(
        _ descriptor: Int32, at url: URL, for destination: URL, isNew: Bool
    ) throws -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw POSIXError.last }
            throw DownloadError(
                .inUse, "A download to \(destination.path) is under way already.")
        }
        var opened = stat()
        guard fstat(descriptor, &opened) == 0 else { throw POSIXError.last }
        // A previous download may have moved the file to its destination between open and flock.
        guard hasName(url, opened) else { return false }
        // A second link is the destination: a process was killed after link and before unlink. The
        // file is finished and must not be written to. The owner is checked for existing files
        // only: some file systems report another user as the owner of new files. On these, new
        // files are used and never resumed.
        guard opened.st_nlink == 1, isNew || Ownership(opened) == .own else {
            guard unlink(url.path) == 0 || errno == ENOENT else {
                throw FileTransferError.failed("Another user's file cannot be removed:", url)
            }
            return false
        }
        return true
    }

    /// Whether `url` names the open file.
    private static func hasName(_ url: URL, _ opened: stat) -> Bool {
        var named = stat()
        return lstat(url.path, &named) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
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
    func loadState() -> PartialState? { state.load(PartialState.self) }

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
        var opened = stat()
        guard fstat(descriptor, &opened) == 0 else { throw POSIXError.last }
        guard Self.hasName(url, opened) else {
            throw FileTransferError(description: "\(url.path) was replaced during the download.")
        }
        try FilePlacement(replaces: replaces).move(url, to: destination)
        state.remove()
    }

    /// Removes the file and its state, unless another file has replaced this one.
    func discard() {
        var opened = stat()
        guard fstat(descriptor, &opened) == 0, Self.hasName(url, opened) else { return }
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
            let state = StateFile(url: stateURL).load(PartialState.self),
            let segments = state.segments(of: state.source, fileLength: Int64(status.st_size))
        else { return false }
        return segments.contains { $0.done > 0 }
    }
}
