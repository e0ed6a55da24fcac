import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes the body of a response.
protocol BodySink {
    /// Takes the next bytes. `expected` is how long the body is going to be, where that is known.
    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws(URLError)
    /// The whole body.
    mutating func finish() throws(URLError) -> ResponseBody
    /// Gives up what was written.
    mutating func discard()
}

/// Keeps a body in one block of memory that is handed out without a copy.
struct MemorySink: BodySink {
    private let limit: Int
    private var buffer: UnsafeMutableRawPointer?
    private var count = 0
    private var capacity = 0

    /// What a server announces is believed up to here before the bytes arrive.
    private static let largestGuess = 1 << 20

    init(limit: Int) {
        self.limit = limit
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws(URLError) {
        guard bytes.count <= limit - count else {
            throw URLError(
                .dataLengthExceedsMaximum,
                "The response's body is larger than the \(limit) bytes that may be kept in memory.",
                url: nil)
        }
        guard let source = bytes.baseAddress else { return }
        if count + bytes.count > capacity {
            let guess = min(expected ?? 0, Self.largestGuess)
            capacity = max(count + bytes.count, guess, capacity * 2)
            guard let grown = realloc(buffer, capacity) else {
                throw URLError(.dataLengthExceedsMaximum, "The memory is used up.", url: nil)
            }
            buffer = grown
        }
        buffer?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    mutating func finish() throws(URLError) -> ResponseBody {
        guard let buffer else { return .data(Data()) }
        self.buffer = nil
        return .data(Data(bytesNoCopy: buffer, count: count, deallocator: .free))
    }

    mutating func discard() {
        free(buffer)
        buffer = nil
    }
}

/// Writes a body to a file that did not exist.
struct FileSink: BodySink {
    private let url: URL
    private var descriptor: Int32

    init(_ url: URL) throws(URLError) {
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw URLError(
                .cannotCreateFile,
                "Cannot create \(url.path): \(String(cString: strerror(errno))).",
                url: nil, cause: POSIXError(.init(rawValue: errno) ?? .EIO))
        }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws(URLError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = systemWrite(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw URLError(
                    .cannotWriteToFile,
                    "Cannot write to \(url.path): \(String(cString: strerror(errno))).",
                    url: nil, cause: POSIXError(.init(rawValue: errno) ?? .EIO))
            }
        }
    }

    mutating func finish() throws(URLError) -> ResponseBody {
        // Some file systems only say on close that the disk is full.
        let code = systemClose(descriptor)
        descriptor = -1
        guard code == 0 else {
            unlink(url.path)
            throw URLError(.cannotCloseFile, "Cannot close \(url.path).", url: nil)
        }
        return .file(url)
    }

    mutating func discard() {
        guard descriptor >= 0 else { return }
        _ = systemClose(descriptor)
        descriptor = -1
        unlink(url.path)
    }
}

// The methods above have the names of the system calls.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
