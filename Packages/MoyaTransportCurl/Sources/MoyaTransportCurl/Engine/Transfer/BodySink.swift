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
    /// Collected in one block of memory, which becomes a `Data` without a copy.
    case memory(RawBytes, limit: Int)
    case file(NewFile, URL)
    /// A reader with bounded buffer space.
    case stream(ResponseBodyWriter)

    init(_ destination: ResponseDestination) throws {
        switch destination {
        case .memory(let limit): self = .memory(RawBytes(), limit: max(0, limit))
        case .file(let url): self = .file(try NewFile(url), url)
        case .stream: self = .none
        }
    }

    /// The most bytes that it takes. `nil` without a limit.
    var limit: Int64? { if case .memory(_, let limit) = self { Int64(limit) } else { nil } }

    /// Writes `bytes`. Returns `false` if a stream has no room. `expected` is the length of the
    /// body, if it is known.
    mutating func write(_ bytes: UnsafeRawBufferPointer, expected: Int?) throws -> Bool {
        switch self {
        case .memory(var block, let limit):
            guard bytes.count <= limit - block.count else {
                throw URLError.bodyTooLarge(limit: limit)
            }
            // At most 1 MiB is reserved on a server's announcement alone.
            guard block.append(bytes, guess: min(expected ?? 0, 1 << 20)) else {
                let text = "Out of memory while receiving the response body."
                throw URLError(.dataLengthExceedsMaximum, text, url: nil)
            }
            self = .memory(block, limit: limit)
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
        case .memory(var block, _):
            self = .none
            return .data(block.takeData())
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
        case .memory(var block, _): block.deallocate()
        case .file(var file, _): file.discard()
        case .stream, .none: break
        }
        self = .none
    }
}
#endif
