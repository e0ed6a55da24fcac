#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// libcurl's callbacks for the response's body, on the loop's thread.
extension Attempt {
    /// Takes a piece of the body. Returns the number of bytes taken, the number by which libcurl
    /// pauses, or fewer bytes than `bytes` has to abort the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        times.lastActivity = driver.now
        do {
            if !body.hasBegun { try beginBody() }
            if transfer.stream != nil { deliverHead() }
            checkForEarlyAnswer()
            let outcome = try take(bytes)
            body.isCutShort = isTooLongForRedirect()
            if body.isCutShort { return 0 }
            if outcome == .used { return bytes.count }
            paused.insert(.receiving)
            if outcome == .interrupted { transfer.loop.proceed(transfer, with: .receiving) }
            return moya_write_pause()
        } catch {
            failure = error
            return 0
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws -> BodyDecoding.Outcome {
        if let decoding = body.decoding {
            return try decoding.decode(bytes, at: driver.now, write: write)
        }
        return try write(bytes) ? .used : .noRoom
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
        // A request with its own Accept-Encoding gets the encoded bytes.
        let codings = body.decodesContent ? HeaderScan.contentCodings(handle.headLines.bytes) : []
        guard codings.isEmpty else {
            body.decoding = try BodyDecoding(
                codings, limit: handle.context.configuration.maxDecompressedSize,
                destinationLimit: body.sink.limit, url: url)
            return
        }
        let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        progress.bytesToReceive = length >= 0 ? length : nil
    }
}

/// The progress of receiving a response body, and its destination.
struct BodyState {
    /// Whether a byte of the body has arrived.
    var hasBegun = false
    /// Whether the transport decodes the body's content codings.
    var decodesContent = true
    /// Decodes the body. `nil` if it has no content coding.
    var decoding: BodyDecoding?
    var sink = BodySink.none
    /// Whether the response is a redirect that will be followed. `nil` until its body is long
    /// enough to matter.
    var isFollowed: Bool?
    /// Whether the rest of the body, of a redirect or a 417, is not read.
    var isCutShort = false
    /// The position in a chunked body. Used only where libcurl's debug callback shows the chunks.
    var chunks = ChunkScan()
    /// Whether the last received byte of a chunked body is a carriage return.
    var endsWithReturn = false
    /// The TLS connection whose close_notify marks the end of the body.
    var closingTLS: OpaquePointer?
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
