import Foundation
import MoyaCore
import MoyaInternals

/// FIFO buffer of bytes. The first bytes are kept in memory, further bytes in an unlinked temporary
/// file.
///
/// The file is a ring buffer of at most `limit` bytes. Only `discard()` closes it. A copy of this
/// value shares the file, so do not copy it.
struct Backlog {
    private let limit: Int
    private let memoryLimit: Int
    /// Bytes that precede the bytes in the file.
    private var memory = Data()
    private var descriptor: Int32 = -1
    /// Offsets of the next byte to read and to write, before the modulo operation of the ring.
    private var (start, end) = (0, 0)

    /// - Parameters:
    ///   - limit: Maximum number of buffered bytes.
    ///   - memoryLimit: Maximum number of bytes in memory.
    init(limit: Int, memoryLimit: Int = 256 << 10) {
        self.limit = limit
        self.memoryLimit = memoryLimit
    }

    var isEmpty: Bool { memory.isEmpty && start == end }

    /// Appends bytes.
    ///
    /// - Throws: `URLError(.dataLengthExceedsMaximum)` if more than `limit` bytes would be
    ///   buffered; `URLError(.cannotCreateFile)`, `URLError(.cannotWriteToFile)`.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(URLError) {
        guard bytes.count <= limit - memory.count - (end - start) else {
            throw URLError(
                .dataLengthExceedsMaximum,
                "The response's body is read too slowly: more than \(limit) bytes wait. Read it "
                    + "faster, raise streamBacklogLimit, or use CurlTransport, which applies "
                    + "back-pressure to the server.", url: nil)
        }
        // Bytes in the file follow those in memory, so memory grows only while the file is empty.
        if start == end, bytes.count <= memoryLimit - memory.count {
            return memory.append(contentsOf: bytes)
        }
        if descriptor < 0 { try open() }
        try transfer(bytes.count, at: end, .cannotWriteToFile) { moved, count, offset in
            pwrite(descriptor, bytes.baseAddress.map { $0 + moved }, count, offset)
        }
        end += bytes.count
    }

    /// Removes and returns the oldest bytes, at most `count`.
    ///
    /// - Throws: `URLError(.cannotOpenFile)` if the file cannot be read.
    mutating func removeFirst(_ count: Int) throws(URLError) -> Data {
        guard memory.isEmpty else {
            let first = memory.prefix(count)
            memory = memory.count > count ? Data(memory.dropFirst(count)) : Data()
            return first
        }
        let count = min(count, end - start)
        var data = Data(count: count)
        do {
            try data.withUnsafeMutableBytes { bytes in
                try transfer(count, at: start, .cannotOpenFile) { moved, count, offset in
                    pread(descriptor, bytes.baseAddress.map { $0 + moved }, count, offset)
                }
            }
        } catch {
            // withUnsafeMutableBytes rethrows without the type of the error.
            throw error as? URLError ?? URLError(.cannotOpenFile)
        }
        start += count
        // Frees disk space whenever the reader has caught up.
        if start == end, descriptor >= 0 {
            (start, end) = (0, 0)
            ftruncate(descriptor, 0)
        }
        return data
    }

    /// Discards all bytes and closes the file.
    mutating func discard() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        (start, end) = (0, 0)
        memory = Data()
    }

    private mutating func open() throws(URLError) {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-backlog-\(RandomID.uuid().uuidString)").path
        descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(.cannotCreateFile) }
        unlink(path)
    }

    /// Transfers `count` bytes from or to `position`, split at the end of the ring and wherever the
    /// system call is partial.
    ///
    /// - Parameter move: Transfers `count` bytes at the offset of the file, after the first `moved`
    ///   bytes. Returns the result of `pread` or `pwrite`.
    private func transfer(
        _ count: Int, at position: Int, _ code: URLError.Code,
        _ move: (_ moved: Int, _ count: Int, off_t) -> Int
    ) throws(URLError) {
        var moved = 0
        while moved < count {
            let offset = (position + moved) % limit
            let result = move(moved, min(count - moved, limit - offset), off_t(offset))
            if result > 0 {
                moved += result
            } else if result == 0 || errno != EINTR {
                throw Self.error(code)
            }
        }
    }

    private static func error(_ code: URLError.Code) -> URLError {
        let number = errno
        return URLError(
            code,
            "The temporary file of the response's body cannot be used: "
                + "\(String(cString: strerror(number))).", url: nil,
            cause: POSIXError(.init(rawValue: number) ?? .EIO))
    }
}
