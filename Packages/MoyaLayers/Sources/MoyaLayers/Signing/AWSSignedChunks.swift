import Foundation
import MoyaCore
import MoyaInternals

/// A streamed body in the content coding `aws-chunked` of S3: each chunk has a signature, which
/// covers the signature before it. The first one covers that of the request.
struct AWSSignedChunks: AsyncSequence, Sendable {
    /// Value of `X-Amz-Content-Sha256`.
    static let payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
    /// Size of all chunks but the last ones, in bytes. S3 requires at least 8 KiB.
    private static let size = 64 << 10
    private static let emptyDigest = digest(of: Data())

    let body: RequestBodyStream
    let key: AWSSigningKey
    /// Signature of the request.
    let seed: String

    /// Returns the body with its signatures.
    func stream() -> RequestBodyStream {
        let length = body.length.flatMap(Self.encodedLength)
        var stream =
            body.isReplayable
            ? RequestBodyStream(length: length) { self }
            : RequestBodyStream(length: length, once: self)
        stream.trailers = body.trailers
        return stream
    }

    /// Returns the size of a body of `length` bytes with its signatures. `nil` for a length that is
    /// negative or that no server accepts.
    static func encodedLength(of length: Int64) -> Int64? {
        guard (0...(1 << 60)).contains(length) else { return nil }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: Int64(size))
        let last = rest > 0 ? encodedSize(of: rest) : 0
        return whole * encodedSize(of: Int64(size)) + last + encodedSize(of: 0)
    }

    private static func encodedSize(of size: Int64) -> Int64 {
        let signature = String(repeating: "0", count: 64)
        return Int64(header(size: size, signature).utf8.count) + size + 2
    }

    private static func header(size: Int64, _ signature: String) -> String {
        "\(String(size, radix: 16));chunk-signature=\(signature)\r\n"
    }

    private static func digest(of data: Data) -> String {
        Hexadecimal.encode(Digester.digest(.sha256, of: data))
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self, previous: seed) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let chunks: AWSSignedChunks
        /// Signature of the chunk before.
        fileprivate var previous: String
        private var source: RequestBodyStream.Chunks.Iterator?
        private var buffer = Data()
        private var isSourceOver = false
        private var isOver = false

        fileprivate init(chunks: AWSSignedChunks, previous: String) {
            self.chunks = chunks
            self.previous = previous
        }

        /// Returns the next chunk with its signature. The last one is empty.
        mutating func next() async throws -> Data? {
            guard !isOver else { return nil }
            try await fill()
            let chunk = buffer.prefix(AWSSignedChunks.size)
            buffer = buffer.dropFirst(chunk.count)
            isOver = chunk.isEmpty
            previous = chunks.key.signature(
                algorithm: "AWS4-HMAC-SHA256-PAYLOAD",
                of: previous, AWSSignedChunks.emptyDigest, AWSSignedChunks.digest(of: chunk))
            var encoded = Data(
                AWSSignedChunks.header(size: Int64(chunk.count), previous).utf8)
            encoded.append(chunk)
            encoded.append(contentsOf: [0x0D, 0x0A])
            return encoded
        }

        /// Reads until the buffer holds a whole chunk or the source ends.
        private mutating func fill() async throws {
            var source = try self.source ?? chunks.body.makeChunks().makeAsyncIterator()
            while buffer.count < AWSSignedChunks.size, !isSourceOver {
                if let piece = try await source.next() {
                    buffer.append(piece)
                } else {
                    isSourceOver = true
                }
            }
            self.source = source
        }
    }
}
