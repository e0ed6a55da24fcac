import Foundation

/// The file that a download grows in, beside its destination, and the state that goes with it. One process at
/// a time has it.
final class PartialFile: Sendable {
    let url: URL
    private let state: StateFile
    private let descriptor: Int32

    /// Opens the file, or makes it.
    ///
    /// - Throws: ``DownloadError`` while somebody else has it; ``FileTransferError``; a POSIX error.
    init(for destination: URL) throws {
        let (url, stateURL) = Self.places(for: destination)
        self.url = url
        state = StateFile(url: stateURL)
        while true {
            let descriptor = open(
                url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileTransferError.failed("Cannot open", url) }
            do {
                if try Self.take(descriptor, at: url, for: destination) {
                    self.descriptor = descriptor
                    return
                }
                close(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    // Gives up the lock as well.
    deinit { close(descriptor) }

    /// Names beside `destination` that are hidden, and short enough for every file system.
    private static func places(for destination: URL) -> (URL, URL) {
        let folder = destination.deletingLastPathComponent()
        var name = destination.lastPathComponent
        if name.utf8.count > 200 { name = PartialState.source(of: name) }
        return (
            folder.appendingPathComponent(".\(name).moya-part"),
            folder.appendingPathComponent(".\(name).moya-part.json")
        )
    }

    /// Whether the file that was opened is the one of that name, and nobody else's.
    private static func take(
        _ descriptor: Int32, at url: URL, for destination: URL
    ) throws -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw POSIXError.last }
            throw DownloadError(
                .inUse, "A download to \(destination.path) is under way already.")
        }
        var opened = stat()
        var named = stat()
        guard fstat(descriptor, &opened) == 0 else { throw POSIXError.last }
        // Whoever had it before may have given it its final name in the meantime.
        guard lstat(url.path, &named) == 0, named.st_ino == opened.st_ino,
            named.st_dev == opened.st_dev
        else { return false }
        guard opened.st_mode & S_IFMT == S_IFREG else { throw FileTransferError.notAFile(url) }
        // Killed between taking the final name and giving up this one: it must not be written to any more.
        guard opened.st_nlink == 1 else {
            unlink(url.path)
            return false
        }
        return true
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
        // First the bytes: a state without them asks for all of them.
        guard ftruncate(descriptor, 0) == 0 else { throw POSIXError.last }
        state.remove()
    }

    /// Gives the file its final name.
    func place(at destination: URL, replaces: Bool) throws {
        try FilePlacement(replaces: replaces).move(url, to: destination)
        state.remove()
    }

    /// Removes file and state.
    func discard() {
        unlink(url.path)
        state.remove()
    }

    /// Whether there is half a download to `destination`.
    static func exists(for destination: URL) -> Bool {
        FileManager.default.fileExists(atPath: places(for: destination).0.path)
    }
}

extension FileTransferError {
    /// What the last system call failed with, with the path.
    fileprivate static func failed(_ what: String, _ url: URL) -> FileTransferError {
        FileTransferError(
            description: "\(what) \(url.path): \(String(cString: strerror(errno))).")
    }
}
