import Foundation

/// Synchronises files with the disk, so that they survive a loss of power.
enum FileSync {
    /// Synchronises the content of a file.
    ///
    /// - Throws: A POSIX error. Some file systems report a full disk only here.
    static func file(_ url: URL) throws {
        try sync(url, O_RDONLY | O_CLOEXEC)
    }

    /// Synchronises the entries of a folder.
    static func folder(_ url: URL) {
        // Best effort: not every file system can synchronise a folder, and the entries exist
        // already.
        try? sync(url, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    private static func sync(_ url: URL, _ flags: Int32) throws {
        let descriptor = open(url.path, flags)
        guard descriptor >= 0 else { throw POSIXError.last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXError.last }
    }
}

extension POSIXError {
    /// Error of the last system call, from `errno`.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
