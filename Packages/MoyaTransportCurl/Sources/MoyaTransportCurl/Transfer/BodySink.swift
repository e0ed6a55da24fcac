import Foundation
@_spi(MoyaInternals) import MoyaCore

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
    private var file: NewFile

    init(_ url: URL) throws(URLError) {
        self.url = url
        file = try NewFile(url)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws(URLError) {
        try file.write(bytes)
    }

    mutating func finish() throws(URLError) -> ResponseBody {
        try file.finish()
        return .file(url)
    }

    mutating func discard() { file.discard() }
}
