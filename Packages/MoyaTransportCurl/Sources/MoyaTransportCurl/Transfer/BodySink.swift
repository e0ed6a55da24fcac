import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes the body of a response.
enum BodySink {
    /// There is nothing to write yet, or no more.
    case none
    case memory(MemorySink)
    case file(NewFile, URL)
    /// To a reader, which may not have room.
    case stream(ResponseBodyWriter)

    init(_ destination: ResponseDestination) throws(URLError) {
        switch destination {
        case .memory(let limit): self = .memory(MemorySink(limit: max(0, limit)))
        case .file(let url): self = .file(try NewFile(url), url)
        case .stream: self = .none
        }
    }

    /// Takes the next bytes. `expected` is how long the body is going to be, where that is known. Returns whether there
    /// was room.
    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws(URLError) -> Bool {
        switch self {
        case .memory(var sink):
            try sink.write(bytes, expected: expected)
            self = .memory(sink)
        case .file(var file, let url):
            try file.write(bytes)
            self = .file(file, url)
        case .stream(let channel): return channel.offer(bytes)
        case .none: break
        }
        return true
    }

    /// The whole body.
    mutating func finish() throws(URLError) -> ResponseBody {
        switch self {
        case .memory(var sink):
            self = .none
            return .data(sink.take())
        case .file(var file, let url):
            self = .none
            try file.finish()
            return .file(url)
        case .stream(let channel):
            return .stream(ResponseBodyStream(channel))
        case .none: return .data(Data())
        }
    }

    /// Gives up what was written.
    mutating func discard() {
        switch self {
        case .memory(var sink): sink.discard()
        case .file(var file, _): file.discard()
        case .stream, .none: break
        }
        self = .none
    }
}

/// Keeps a body in one block of memory that is handed out without a copy.
struct MemorySink {
    private let limit: Int
    private var bytes = RawBytes()

    /// What a server announces is believed up to here before the bytes arrive.
    private static let largestGuess = 1 << 20

    init(limit: Int) {
        self.limit = limit
    }

    mutating func write(_ more: UnsafeRawBufferPointer, expected: Int?) throws(URLError) {
        guard more.count <= limit - bytes.count else { throw .bodyTooLarge(limit: limit) }
        guard bytes.append(more, guess: min(expected ?? 0, Self.largestGuess)) else {
            throw URLError(.dataLengthExceedsMaximum, "The memory is used up.", url: nil)
        }
    }

    mutating func take() -> Data { bytes.takeData() }
    mutating func discard() { bytes.deallocate() }
}
