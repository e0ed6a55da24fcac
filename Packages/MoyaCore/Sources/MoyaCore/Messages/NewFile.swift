import Foundation

/// A new file for a response's body.
///
/// Methods block during disk I/O. Call ``finish()`` or ``discard()`` at the end: the file is not
/// closed otherwise.
public struct NewFile: Sendable {
    private let url: URL
    private var descriptor: Int32
    /// Bytes written, and bytes whose writeback has been requested.
    private var (count, announced) = (0, 0)

    /// Number of bytes after which writeback is requested.
    private static let announcement = 8 << 20

    /// Creates the file with mode 0600: only its owner can read and write it.
    ///
    /// - Throws: `URLError(.cannotCreateFile)`, also if the file exists.
    public init(_ url: URL) throws {
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(.cannotCreateFile, "Cannot create", url) }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, for example if the disk is full.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = systemWrite(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw Self.error(.cannotWriteToFile, "Cannot write to", url)
            }
        }
        count += bytes.count
        if count - announced >= Self.announcement { announce() }
    }

    /// Starts writeback of the bytes written so far, so that a later `fsync` of a large file takes
    /// less time.
    private mutating func announce() {
        #if os(Linux)
            // Starts asynchronous writeback of dirty pages. The call is a hint, so its result is
            // ignored.
            _ = posix_fadvise(
                descriptor, off_t(announced), off_t(count - announced), POSIX_FADV_DONTNEED)
        #endif
        announced = count
    }

    /// Closes the file.
    ///
    /// - Throws: `URLError(.cannotCloseFile)`: some file systems report a full disk only on close.
    public mutating func finish() throws {
        let isClosed = systemClose(descriptor) == 0
        descriptor = -1
        guard isClosed else {
            let error = Self.error(.cannotCloseFile, "Cannot close", url)
            unlink(url.path)
            throw error
        }
    }

    /// Closes the file and removes it. Does nothing after ``finish()``.
    public mutating func discard() {
        guard descriptor >= 0 else { return }
        _ = systemClose(descriptor)
        descriptor = -1
        unlink(url.path)
    }

    private static func error(_ code: URLError.Code, _ what: String, _ url: URL) -> URLError {
        let number = errno
        return URLError(
            code, "\(what) \(url.path): \(String(cString: strerror(number))).", url: nil,
            cause: POSIXError(.init(rawValue: number) ?? .EIO))
    }
}

// Aliases, because the methods of `NewFile` shadow the system calls of the same name.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
