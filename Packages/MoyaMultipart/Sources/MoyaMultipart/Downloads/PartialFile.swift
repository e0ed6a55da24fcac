import Foundation
import MoyaInternals

/// The file that a download grows in, beside its destination, and the state that goes with it. One process at
/// a time has it.
final class PartialFile: Sendable {
    let url: URL
    private let state: StateFile
    private let descriptor: Int32

    /// Opens the file, or makes it. Another user's file, or what is no file, is removed first.
    ///
    /// - Throws: ``DownloadError`` while another download has it; ``FileTransferError``, for what cannot be removed as
    ///   well; a POSIX error.
    init(for destination: URL) throws {
        let (url, stateURL) = Self.places(for: destination)
        self.url = url
        state = StateFile(url: stateURL)
        // Not for ever: another process might make one as often as this one removes it.
        for _ in 0..<100 {
            guard let (descriptor, isNew) = try Self.open(url) else { continue }
            do {
                if try Self.take(descriptor, at: url, for: destination, isNew: isNew) {
                    self.descriptor = descriptor
                    return
                }
                close(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
        throw DownloadError(.inUse, "Others keep making and removing the file \(url.path).")
    }

    // Closing alone might not unlock it: a child process that has been forked and does not run its program yet
    // still has the descriptor, and with it would keep the lock.
    deinit {
        unlock()
        _ = close(descriptor)
    }

    /// Lets others have the file. Nothing is done with this one any more.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Names beside `destination` that are hidden, and short enough for every file system.
    private static func places(for destination: URL) -> (URL, URL) {
        let folder = destination.deletingLastPathComponent()
        var name = destination.lastPathComponent
        if name.utf8.count > 200 { name = Digester.sha256(of: name) }
        return (
            folder.appendingPathComponent(".\(name).moya-part"),
            folder.appendingPathComponent(".\(name).moya-part.json")
        )
    }

    /// A new file, or the one that is there. `nil` where what was there has gone.
    private static func open(_ url: URL) throws -> (descriptor: Int32, isNew: Bool)? {
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let new = systemOpen(url.path, flags | O_CREAT | O_EXCL, 0o600)
        if new >= 0 { return (new, true) }
        guard errno == EEXIST else { throw FileTransferError.failed("Cannot open", url) }
        guard Ownership(of: url) != .noFile else {
            guard unlink(url.path) == 0 || errno == ENOENT else {
                throw FileTransferError.failed("Cannot make room at", url)
            }
            return nil
        }
        // O_NONBLOCK: should a pipe take the file's place at this moment, opening it must not wait for a writer.
        let old = systemOpen(url.path, flags | O_NONBLOCK, 0)
        if old >= 0 { return (old, false) }
        guard errno == ENOENT else { throw FileTransferError.failed("Cannot open", url) }
        return nil
    }

    /// Whether the file that was opened is the one of that name, and this user's alone.
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
        // The download that had it before may have given it its final name in the meantime.
        guard hasName(url, opened) else { return false }
        // A second link is the final name: a process was killed after it gave the file that, and before it took this
        // one away. The file is finished and must not be written to any more. As to its owner: some file systems say
        // of new files that another user owns them. There, files are used while they are new, and never resumed.
        guard opened.st_nlink == 1, isNew || Ownership(opened) == .own else {
            guard unlink(url.path) == 0 || errno == ENOENT else {
                throw FileTransferError.failed("Another user's file cannot be removed:", url)
            }
            return false
        }
        return true
    }

    /// Whether `url` is the name of an open file.
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

    /// Forgets what comes after so many bytes.
    func truncate(to count: Int64) throws {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw POSIXError.last }
    }

    // MARK: State

    /// The state beside the file. `nil` if there is none, or nothing that could be used.
    func loadState() -> PartialState? { state.load(PartialState.self) }

    /// Writes the state, once what it speaks of is on the disk.
    func save(_ new: PartialState) throws {
        guard fsync(descriptor) == 0 else { throw POSIXError.last }
        try state.save(new)
    }

    /// Empties the file and forgets its state.
    func startOver() throws {
        // The bytes go first. Should the process end in between, the state does not fit an empty file, and all of it
        // is fetched.
        try truncate(to: 0)
        state.remove()
    }

    /// Gives the file its final name.
    ///
    /// - Throws: ``FileTransferError``, also where another file has taken the name of this one.
    func place(at destination: URL, replaces: Bool) throws {
        var opened = stat()
        guard fstat(descriptor, &opened) == 0 else { throw POSIXError.last }
        guard Self.hasName(url, opened) else { throw FileTransferError.replaced(url) }
        try FilePlacement(replaces: replaces).move(url, to: destination)
        state.remove()
    }

    /// Removes file and state, unless another file is in its place.
    func discard() {
        var opened = stat()
        guard fstat(descriptor, &opened) == 0, Self.hasName(url, opened) else { return }
        unlink(url.path)
        state.remove()
    }

    /// Whose unfinished download to `destination` there is. `nil` if there is none.
    static func ownership(for destination: URL) -> Ownership? {
        Ownership(of: places(for: destination).0)
    }

    /// Whether there is an unfinished download to `destination` that can be gone on with.
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

// A method above has the name of the system call.
private let systemOpen: @Sendable (String, Int32, mode_t) -> Int32 = { open($0, $1, $2) }

extension FileTransferError {
    fileprivate static func replaced(_ url: URL) -> FileTransferError {
        FileTransferError(
            description: "Another file is in the place of \(url.path).")
    }
}
