#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// The body of the response, on the loop's thread.
extension Attempt {
    /// Takes a piece of the body. Returns what libcurl wants to hear: how much was taken, where less than all
    /// stops it, or that it shall come again later.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        times.lastActivity = host.now
        do {
            if !body.hasBegun { try beginBody() }
            if transfer.stream != nil { deliverHead() }
            checkForEarlyAnswer()
            let isTaken =
                if let decoding = body.decoding { try decoding.decode(bytes, write: write) } else {
                    try write(bytes)
                }
            guard isTaken else {
                paused.insert(.receiving)
                return moya_write_pause()
            }
        } catch {
            failure = error
            return 0
        }
        body.isCutShort = isTooLongForRedirect()
        return body.isCutShort ? 0 : bytes.count
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let expected = progress.bytesToReceive.flatMap(Int.init(exactly:))
        guard try body.sink.write(bytes, expected: expected) else { return false }
        progress.bytesReceived += Int64(bytes.count)
        request.progress?(progress)
        return true
    }

    private func beginBody() throws(URLError) {
        body.hasBegun = true
        guard statusCode != nil else {
            throw URLError(.badServerResponse, Self.statusFault, url: url)
        }
        // With an Accept-Encoding of their own, callers get the bytes as they come.
        let codings = body.decodesContent ? HeaderScan.contentCodings(handle.head.bytes) : []
        guard codings.isEmpty else {
            body.decoding = try BodyDecoding(
                codings, limit: handle.context.configuration.maxDecompressedSize, url: url)
            return
        }
        let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        progress.bytesToReceive = length >= 0 ? length : nil
    }

    /// Whether this is the body of a redirect that is going to be followed, and more of it than is worth reading.
    private func isTooLongForRedirect() -> Bool {
        // A reader has the head by now, and stops by itself.
        guard progress.bytesReceived > ResponseBodyStream.skippedBodyLimit, transfer.stream == nil
        else {
            return false
        }
        // Once for each body: to find out copies the head.
        let isFollowed = body.isFollowed ?? surelyFollows()
        body.isFollowed = isFollowed
        return isFollowed
    }

    private func surelyFollows() -> Bool {
        guard Redirect.isRedirect(easy.long(CURLINFO_RESPONSE_CODE)), let url else { return false }
        return request.surelyFollows(summary(url).0)
    }
}

/// How much of the response's body has come, and where it goes.
struct BodyState {
    /// Whether a byte of it has come.
    var hasBegun = false
    /// Whether the request leaves it to the transport to decode the body.
    var decodesContent = true
    /// Decodes the body, where it has a content coding.
    var decoding: BodyDecoding?
    var sink = BodySink.none
    /// Whether the response is a redirect that is going to be followed. `nil` until its body is long enough to matter.
    var isFollowed: Bool?
    /// Whether the rest of a redirect's body is left unread.
    var isCutShort = false
    /// How far a body in chunks has come, where libcurl shows it.
    var chunks = ChunkScan()
    /// Whether the last byte that came of a body in chunks is a carriage return.
    var endsWithReturn = false
    /// The TLS connection whose orderly end is the end of the body.
    var closingTLS: OpaquePointer?
}

/// Takes the body of a response.
enum BodySink {
    /// There is nothing to write yet, or no more.
    case none
    case memory(MemorySink)
    case file(NewFile, URL)
    /// To a reader, which may not have room.
    case stream(ResponseBodyWriter)

    init(_ destination: ResponseDestination) throws {
        switch destination {
        case .memory(let limit): self = .memory(MemorySink(limit: max(0, limit)))
        case .file(let url): self = .file(try NewFile(url), url)
        case .stream: self = .none
        }
    }

    /// Takes the next bytes. `expected` is how long the body is going to be, where that is known. Returns whether there
    /// was room.
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

    /// The whole body.
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
#endif
