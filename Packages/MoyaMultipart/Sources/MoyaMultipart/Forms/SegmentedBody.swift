import Foundation
import MoyaCore

/// Segment of a body, not read yet.
enum BodySegment: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// File, and the size that it must have when it is read.
    case file(URL, Int64)
    /// Part of a form that is read asynchronously.
    case part(PartStream)

    /// Number of bytes, or `nil` if unknown.
    var length: Int64? {
        switch self {
        case .bytes(let data): Int64(data.count)
        case .file(_, let size): size
        case .part(let stream): stream.length
        }
    }
}

/// Body read in chunks. At most one chunk is in memory at a time, besides the segments that are in
/// memory anyway.
struct SegmentedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let segments: [BodySegment]
    /// Number of bytes. `nil` if the length of a segment is unknown or the sum overflows.
    let length: Int64?

    init(_ segments: [BodySegment]) {
        self.segments = segments
        length = segments.reduce(0) { length, segment in
            guard let length, let more = segment.length else { return nil }
            let (sum, isTooMuch) = length.addingReportingOverflow(more)
            return isTooMuch ? nil : sum
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    struct Iterator: AsyncIteratorProtocol {
        private enum Source {
            case bytes(Data)
            case file(FileSource)
            case part(PartReader)
        }

        private var segments: ArraySlice<BodySegment>
        private var source: Source?
        private var left: Int64?

        init(_ body: SegmentedBody) {
            segments = body.segments[...]
            left = body.length
        }

        /// Returns the next chunk, or `nil` at the end. Part heads and small parts are combined
        /// into one chunk.
        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            var chunk = Chunk(capacity: Int(Swift.min(Int64(Chunk.size), left ?? .max)))
            while try advance() {
                if case .part(let reader) = source {
                    // Reading the stream may suspend, so the bytes before it are delivered first.
                    if chunk.count > 0 { break }
                    if let data = try await reader.next() { return deliver(data) }
                    source = nil
                } else if chunk.count == 0, let slice = takeSlice() {
                    return deliver(slice)
                } else {
                    chunk.count += try fill(chunk.space)
                    if chunk.isFull { break }
                }
            }
            return chunk.count == 0 ? nil : deliver(chunk.take())
        }

        /// Opens the next segment if none is open. Returns `false` at the end of the body.
        private mutating func advance() throws -> Bool {
            guard source == nil else { return true }
            switch segments.popFirst() {
            case .bytes(let data): source = .bytes(data)
            case .file(let url, let size): source = .file(try FileSource(url, size: size))
            case .part(let stream): source = .part(try PartReader(stream))
            case nil: return false
            }
            return true
        }

        /// Returns the next chunk of a large segment in memory as a slice, without copying it.
        private mutating func takeSlice() -> Data? {
            guard case .bytes(let data) = source, data.count >= Chunk.size else { return nil }
            source = .bytes(data.dropFirst(Chunk.size))
            return data.prefix(Chunk.size)
        }

        /// Reads from the open segment, and closes it at its end. Reads nothing from an
        /// asynchronous part.
        private mutating func fill(_ space: UnsafeMutableRawBufferPointer) throws -> Int {
            switch source {
            case .bytes(let data):
                let part = data.prefix(space.count)
                part.copyBytes(to: space)
                source = part.count == data.count ? nil : .bytes(data.dropFirst(part.count))
                return part.count
            case .file(let file):
                let count = try file.read(into: space)
                if count == 0 { source = nil }
                return count
            case .part, nil: return 0
            }
        }

        /// Fills `buffer` as far as possible without waiting for an asynchronous part.
        fileprivate mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            var count = 0
            while count < buffer.count, try advance() {
                if case .part = source { break }
                count += try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            }
            return count
        }

        private mutating func deliver(_ data: Data) -> Data {
            left = left.map { $0 - Int64(data.count) }
            return data
        }
    }
}

extension SegmentedBody {
    /// Whether all bytes can be read without waiting, because no part is asynchronous.
    var isThere: Bool {
        segments.allSatisfy { segment in
            if case .part = segment { false } else { true }
        }
    }

    /// Reads a body without asynchronous parts.
    final class Reader: BodyReader {
        private var iterator: Iterator

        init(_ body: SegmentedBody) {
            iterator = Iterator(body)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try iterator.read(into: buffer)
        }
    }
}

/// Reads an asynchronous part and checks its length.
final class PartReader {
    private let stream: PartStream
    private let read: PartStream.Reader
    private var count: Int64 = 0

    init(_ stream: PartStream) throws {
        self.stream = stream
        read = try stream.open()
    }

    func next() async throws -> Data? {
        guard let chunk = try await read() else {
            if let length = stream.length, count < length {
                throw MultipartFormError.tooShort(stream.name, got: count, of: length)
            }
            return nil
        }
        count += Int64(chunk.count)
        if let length = stream.length, count > length {
            throw MultipartFormError.tooLong(stream.name, length)
        }
        return chunk
    }
}
