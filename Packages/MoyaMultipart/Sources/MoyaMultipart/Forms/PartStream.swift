import Foundation
import MoyaCore
import MoyaInternals

/// Part that is read asynchronously, chunk by chunk: an `InputStream` or a sequence.
struct PartStream: Sendable {
    /// Returns the next chunk, or `nil` at the end.
    typealias Reader = () async throws -> Data?

    /// Name of the part, for errors.
    let name: String
    /// Number of bytes that the part must deliver. `nil` for an unknown number.
    let length: Int64?
    /// Whether the part can be read more than once.
    let isReplayable: Bool
    /// Opens the part for reading.
    let open: @Sendable () throws -> Reader

    init(_ stream: InputStream, length: UInt64, name: String) throws(MultipartFormError) {
        guard let length = Int64(exactly: length) else {
            throw .unreadable(name, "its length is \(length), but must be 0 or more.")
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
            throw .unreadable(name, "its length is \(length), but must be 0 or more.")
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

/// Unclaimed `InputStream`, passed to its reader.
struct SharedStream: @unchecked Sendable {
    // Safe: without a claim, only the identity of the stream is used.
    let stream: InputStream
}

/// Reads an `InputStream` on a serial queue, because reading may block.
final class InputStreamSource: @unchecked Sendable {
    // Safe: `init` claims the stream, so no other source has it. Afterwards only blocks of the
    // serial queue touch it, each of which retains this object, and `deinit`, which runs when no
    // such block is left.

    private let stream: InputStream
    private let name: String
    private let queue = DispatchQueue(label: "moya.multipart.stream")

    /// Streams being read. A stream that has been read is closed, so its status prevents a second
    /// read.
    private static let claimed = Locked<Set<ObjectIdentifier>>([])

    /// - Throws: ``MultipartFormError`` if the stream is being read or has been read.
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

    /// Returns the next chunk, or `nil` at the end.
    ///
    /// - Throws: ``MultipartFormError``; `CancellationError` as soon as the task is cancelled.
    ///   Cancellation does not interrupt a blocked read: the queue's thread stays blocked until the
    ///   stream delivers bytes or ends.
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
            // On Linux, reading `streamError` of a stream without an error traps.
            let cause = stream.streamStatus == .error ? stream.streamError : nil
            throw MultipartFormError.unreadable(
                name, cause?.localizedDescription ?? "its stream is closed.")
        }
        chunk.count = count
        return count == 0 ? nil : chunk.take()
    }
}
