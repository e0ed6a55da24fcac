import Foundation

/// A file with a predictable name, such as a partial download or a journal, that only this user
/// reads and writes. In a shared folder, another user may have created a file or a link with its
/// name.
public final class OwnFile: Sendable {
    /// The file's URL.
    public let url: URL
    /// Open for reading and writing until this object is released.
    public let descriptor: Int32
    /// Whether this object has created the file.
    public let isNew: Bool

    /// Opens the file, or creates it, and gives it mode 0600. Removes another user's file, or an
    /// object that is not a regular file, first. Never follows a symbolic link.
    ///
    /// - Parameter prepare: Called with each opened descriptor before the file is checked, for
    ///   example to lock it.
    /// - Throws: Errors of `prepare`; a POSIX error, `EBUSY` if another process keeps replacing the
    ///   file.
    public init(_ url: URL, prepare: (_ descriptor: Int32) throws -> Void = { _ in }) throws {
        self.url = url
        // Bounded, because another process could create the file as often as this one removes it.
        for _ in 0..<100 {
            guard let (descriptor, isNew) = try Self.open(url) else { continue }
            var isTaken = false
            defer { if !isTaken { close(descriptor) } }
            try prepare(descriptor)
            isTaken = try Self.check(descriptor, at: url, isNew: isNew)
            guard isTaken else { continue }
            (self.descriptor, self.isNew) = (descriptor, isNew)
            return
        }
        throw POSIXError(.EBUSY)
    }

    deinit { close(descriptor) }

    /// Whether the URL still names this file.
    public var isInPlace: Bool {
        var opened = stat()
        return fstat(descriptor, &opened) == 0 && Self.hasName(url, opened)
    }

    /// Returns the content of a file, at most `count` bytes. `nil` if there is no file, or if it is
    /// not a regular file of this user.
    ///
    /// - Throws: A POSIX error if a file of this user cannot be opened; an error of reading.
    public static func contents(of url: URL, upTo count: Int = .max) throws -> Data? {
        // O_NONBLOCK: open(2) of a FIFO must not wait for a writer.
        let descriptor = Foundation.open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = lastError
            guard ![.ENOENT, .ELOOP].contains(failure.code), Ownership(of: url) ?? .own == .own
            else { return nil }
            throw failure
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw lastError }
        guard case .own = Ownership(status) else { return nil }
        return try count == .max ? handle.readToEnd() ?? Data() : handle.read(upToCount: count)
    }

    /// Creates the file or opens the existing one. Returns `nil` if an existing file has
    /// disappeared meanwhile.
    private static func open(_ url: URL) throws -> (descriptor: Int32, isNew: Bool)? {
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let new = Foundation.open(url.path, flags | O_CREAT | O_EXCL, 0o600)
        if new >= 0 { return (new, true) }
        guard errno == EEXIST else { throw lastError }
        guard Ownership(of: url) != .noFile else {
            try remove(url)
            return nil
        }
        // O_NONBLOCK: if a FIFO replaces the file at this moment, open(2) must not wait for a
        // writer.
        let old = Foundation.open(url.path, flags | O_NONBLOCK)
        if old >= 0 { return (old, false) }
        guard errno == ENOENT else { throw lastError }
        return nil
    }

    /// Returns `false` if the opened file is no longer the file of that name, or has been removed
    /// because it cannot be used.
    private static func check(_ descriptor: Int32, at url: URL, isNew: Bool) throws -> Bool {
        var opened = stat()
        guard fstat(descriptor, &opened) == 0 else { throw lastError }
        guard hasName(url, opened) else { return false }
        // A second link may be another file's name: it must not be written to. The owner is checked
        // for existing files only: some file systems report another user as the owner of new files.
        // On these, new files are used and never opened again.
        guard opened.st_nlink == 1, isNew || Ownership(opened) == .own else {
            try remove(url)
            return false
        }
        // An older version, or the user, may have given an existing file another mode. Some file
        // systems have no modes.
        if !isNew { _ = fchmod(descriptor, 0o600) }
        return true
    }

    private static func hasName(_ url: URL, _ opened: stat) -> Bool {
        var named = stat()
        return lstat(url.path, &named) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
    }

    private static func remove(_ url: URL) throws {
        guard unlink(url.path) == 0 || errno == ENOENT else { throw lastError }
    }

    private static var lastError: POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }
}
