import Foundation
import MoyaCore

/// Bytes that wait: the first of them in memory, the others in a file without a name. What came first leaves first.
///
/// The file is used as a ring, so that it never has more than `limit` bytes.
struct Backlog {
    private let limit: Int
    private let memoryLimit: Int
    /// What came before all that is in the file.
    private var memory = Data()
    private var descriptor: Int32 = -1
    /// The positions in the file of the next byte to read and to write, counted without regard to the ring.
    private var (start, end) = (0, 0)

    /// - Parameters:
    ///   - limit: How many bytes may wait.
    ///   - memoryLimit: How many of them at most are in memory.
    init(limit: Int, memoryLimit: Int = 256 << 10) {
        self.limit = limit
        self.memoryLimit = memoryLimit
    }

    var isEmpty: Bool { memory.isEmpty && start == end }

    /// - Throws: `URLError(.dataLengthExceedsMaximum)` where `limit` bytes wait already;
    ///   `URLError(.cannotCreateFile)`, `URLError(.cannotWriteToFile)`.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(URLError) {
        guard bytes.count <= limit - memory.count - (end - start) else {
            throw URLError(
                .dataLengthExceedsMaximum,
                "The response's body is read so slowly that more than the \(limit) bytes would wait that may. "
                    + "CurlTransport holds the server back instead.", url: nil)
        }
        if start == end, bytes.count <= memoryLimit - memory.count {
            return memory.append(contentsOf: bytes)
        }
        if descriptor < 0 { try open() }
        try transfer(bytes.count, at: end, .cannotWriteToFile) { pieces, count, offset in
            pwrite(descriptor, bytes.baseAddress.map { $0 + pieces }, count, offset)
        }
        end += bytes.count
    }

    /// The oldest bytes, at most `count`.
    ///
    /// - Throws: `URLError(.cannotOpenFile)` for a file that cannot be read back.
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
                try transfer(count, at: start, .cannotOpenFile) { pieces, count, offset in
                    pread(descriptor, bytes.baseAddress.map { $0 + pieces }, count, offset)
                }
            }
        } catch {
            throw error as? URLError ?? URLError(.cannotOpenFile)
        }
        start += count
        // The disk gets its room back as often as the reader catches up.
        if start == end, descriptor >= 0 {
            (start, end) = (0, 0)
            ftruncate(descriptor, 0)
        }
        return data
    }

    /// Forgets what waits.
    mutating func discard() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        (start, end) = (0, 0)
        memory = Data()
    }

    private mutating func open() throws(URLError) {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-backlog-\(UUID().uuidString)").path
        descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(.cannotCreateFile) }
        unlink(path)
    }

    /// Moves `count` bytes from or to `position`, in as many pieces as the ring and the system make of them.
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
            code, "A temporary file fails: \(String(cString: strerror(number))).", url: nil,
            cause: POSIXError(.init(rawValue: number) ?? .EIO))
    }
}
