import Foundation

/// Waits until what was written is on the disk, where a loss of power does not undo it.
enum FileSync {
    /// The bytes of a file.
    ///
    /// - Throws: A POSIX error: some disks only now say that they are full.
    static func file(_ url: URL) throws {
        try sync(url, O_RDONLY | O_CLOEXEC)
    }

    /// The names in a folder.
    static func folder(_ url: URL) {
        // Best effort: not every file system lets a folder be synchronised, and the names are there already.
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
    /// What the last system call failed with.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
