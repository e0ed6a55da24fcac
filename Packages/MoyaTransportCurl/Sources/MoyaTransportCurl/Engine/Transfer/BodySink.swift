#if CURL
import MoyaCore

/// The progress of receiving a response body, and its destination.
struct BodyState {
    /// Whether the transport decodes the body's content codings.
    var decodesContent = true
    /// Decodes the body. `nil` if it has no content coding.
    var decoding: BodyDecoding?
    var sink = BodySink.none
    /// Whether the response is a redirect that will be followed. `nil` until its body is long
    /// enough to matter.
    var isFollowed: Bool?
}

/// A destination for a response body.
enum BodySink {
    /// No bytes are expected, or no more.
    case none
    case memory(MemorySink)
    case file(NewFile, URL)
    /// A reader with bounded buffer space.
    case stream(ResponseBodyWriter)

    init(_ destination: ResponseDestination) throws {
        switch destination {
        case .memory(let limit): self = .memory(MemorySink(limit: max(0, limit)))
        case .file(let url): self = .file(try NewFile(url), url)
        case .stream: self = .none
        }
    }

    /// The most bytes that it takes. `nil` without a limit.
    var limit: Int64? {
        if case .memory(let sink) = self { Int64(sink.limit) } else { nil }
    }

    /// Writes `bytes`. Returns `false` if a stream has no room. `expected` is the length of the
    /// body, if it is known.
    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws -> Bool {
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

    /// Returns the complete body.
    mutating func finish() throws -> ResponseBody {
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

    /// Discards the written bytes.
    mutating func discard() {
        switch self {
        case .memory(var sink): sink.discard()
        case .file(var file, _): file.discard()
        case .stream, .none: break
        }
        self = .none
    }
}

/// Collects a body in one block of memory, which becomes a `Data` without a copy.
struct MemorySink {
    let limit: Int
    private var bytes = RawBytes()

    /// The most memory that is reserved on a server's announcement alone.
    private static let largestGuess = 1 << 20

    init(limit: Int) {
        self.limit = limit
    }

    mutating func write(_ more: UnsafeRawBufferPointer, expected: Int?) throws(URLError) {
        guard more.count <= limit - bytes.count else { throw .bodyTooLarge(limit: limit) }
        guard bytes.append(more, guess: min(expected ?? 0, Self.largestGuess)) else {
            throw URLError(
                .dataLengthExceedsMaximum, "Out of memory while receiving the response body.",
                url: nil)
        }
    }

    mutating func take() -> Data { bytes.takeData() }
    mutating func discard() { bytes.deallocate() }
}
#endif
