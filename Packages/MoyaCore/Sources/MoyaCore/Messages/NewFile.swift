import Foundation

/// A file that did not exist before and is written from its start: where a transport puts a response's body.
///
/// Its calls block while the disk works. End with ``finish()`` or ``discard()``: nothing else closes the file.
public struct NewFile: Sendable {
    private let url: URL
    private var descriptor: Int32
    /// The number of bytes written, and of those that the disk has been told of.
    private var (count, announced) = (0, 0)

    /// How many bytes the disk is told of at a time.
    private static let announcement = 8 << 20

    /// Creates the file, readable by its owner alone (mode 0600).
    ///
    /// - Throws: `URLError(.cannotCreateFile)`, also where the file exists.
    public init(_ url: URL) throws {
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(.cannotCreateFile, "Cannot create", url) }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, when the disk is full for example.
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

    /// Lets the disk begin with what has been written, so that there is little left to wait for where a large
    /// file has to be safe on it at the end.
    private mutating func announce() {
        #if os(Linux)
            // Begins to write what has not been written yet, and does not wait. Advice alone: whether it was taken
            // makes no difference.
            _ = posix_fadvise(
                descriptor, off_t(announced), off_t(count - announced), POSIX_FADV_DONTNEED)
        #endif
        announced = count
    }

    /// Closes the file.
    ///
    /// - Throws: `URLError(.cannotCloseFile)`: some file systems only now say that they are full.
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

// The methods above have the names of the system calls.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
