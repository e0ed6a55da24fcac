import Foundation
import MoyaCore
import MoyaInternals

/// What a part that is neither in memory nor in a file brings, chunk by chunk.
struct PartStream: Sendable {
    /// The next chunk. `nil` at the end.
    typealias Reader = () async throws -> Data?

    /// The name of the part, for errors.
    let name: String
    /// How many bytes there have to be. `nil` where that is not known.
    let length: Int64?
    /// Whether it can be read more than once.
    let isReplayable: Bool
    /// Starts reading.
    let open: @Sendable () throws -> Reader

    init(_ stream: InputStream, length: UInt64, name: String) throws(MultipartFormError) {
        guard let length = Int64(exactly: length) else {
            throw .unreadable(name, "\(length) is no length.")
        }
        self.name = name
        self.length = length
        isReplayable = false
        let shared = SharedStream(stream: stream)
        open = {
            let source = try InputStreamSource(shared, name: name)
            return { try await source.read() }
        }
    }

    init(
        _ sequence: MultipartFormData.PartSequence, name: String
    ) throws(MultipartFormError) {
        if let length = sequence.length, length < 0 {
            throw .unreadable(name, "\(length) is no length.")
        }
        self.name = name
        length = sequence.length
        isReplayable = sequence.stream.isReplayable
        open = {
            guard sequence.claim() else { throw MultipartFormError.readTwice(name) }
            var iterator = try sequence.stream.makeChunks().makeAsyncIterator()
            return { try await iterator.next() }
        }
    }
}

/// A stream on its way to its reader.
struct SharedStream: @unchecked Sendable {
    // Safe to share: without a claim, its identity alone is used.
    let stream: InputStream
}

/// Reads an `InputStream`, on a queue: it may have to wait for its bytes.
final class InputStreamSource: @unchecked Sendable {
    // Safe to share: no other source has claimed the stream, and this one touches it in `init`, then in blocks of a
    // serial queue, each of which keeps it alive, and in `deinit`, when there is none of those left.

    private let stream: InputStream
    private let name: String
    private let queue = DispatchQueue(label: "moya.multipart.stream")

    /// The streams that are being read. Those that have been read are closed.
    private static let claimed = Locked<Set<ObjectIdentifier>>([])

    /// - Throws: ``MultipartFormError`` for a stream that is being read or has been read.
    init(_ shared: SharedStream, name: String) throws(MultipartFormError) {
        let stream = shared.stream
        let isFree = Self.claimed.withLock { $0.insert(ObjectIdentifier(stream)).inserted }
        guard isFree else { throw .readTwice(name) }
        self.stream = stream
        self.name = name
        switch stream.streamStatus {
        case .notOpen: stream.open()
        case .open: break
        default: throw .readTwice(name)
        }
    }

    deinit {
        stream.close()
        _ = Self.claimed.withLock { $0.remove(ObjectIdentifier(stream)) }
    }

    /// The next chunk. `nil` at the end.
    ///
    /// - Throws: ``MultipartFormError``; `CancellationError` as soon as the task is cancelled. The stream itself cannot be
    ///   woken: its thread waits on, until the stream has something or ends.
    func read() async throws -> Data? {
        try Task.checkCancellation()
        let chunk = Promise<Result<Data?, any Error>>()
        queue.async { chunk.fulfill(Result { try self.readNow() }) }
        return try await chunk.value { chunk.fulfill(.failure(CancellationError())) }.get()
    }

    private func readNow() throws -> Data? {
        var chunk = Chunk(capacity: Chunk.size)
        let count = stream.read(
            chunk.base.assumingMemoryBound(to: UInt8.self), maxLength: chunk.capacity)
        guard count >= 0 else {
            // On Linux, asking a stream without an error for its error ends the process.
            let cause = stream.streamStatus == .error ? stream.streamError : nil
            throw MultipartFormError.unreadable(
                name, cause?.localizedDescription ?? "its stream is closed.")
        }
        chunk.count = count
        return count == 0 ? nil : chunk.take()
    }
}
