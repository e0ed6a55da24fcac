import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A file that did not exist and is written from its start. For transports.
@_spi(MoyaInternals)
public struct NewFile {
    private let url: URL
    private var descriptor: Int32

    /// Creates the file, for its owner's eyes alone.
    ///
    /// - Throws: `URLError(.cannotCreateFile)`, for a file that exists as well.
    public init(_ url: URL) throws(URLError) {
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(.cannotCreateFile, "Cannot create", url) }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, when the disk is full for example.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(URLError) {
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
    }

    /// Closes the file.
    ///
    /// - Throws: `URLError(.cannotCloseFile)`: some file systems only now say that they are full.
    public mutating func finish() throws(URLError) {
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
