import Foundation
import MoyaInternals

/// A request body that is produced in chunks and never entirely in memory.
///
/// ```swift
/// let body = RequestBodyStream(length: size) { try MyFileChunks(path) }  // can be sent again
/// let once = RequestBodyStream(once: recorder.samples)                   // cannot
/// ```
///
/// The transport requests a chunk when it has buffer space. An error of the sequence fails the
/// request.
public struct RequestBodyStream: Sendable {
    /// Size of the body in bytes, sent as `Content-Length`. `nil` if it is unknown: the body is
    /// then sent with chunked transfer coding (RFC 9112, section 7.1) in HTTP/1.1. A body of
    /// another size fails the request with `URLError(.requestBodyStreamExhausted)`.
    public let length: Int64?
    /// Whether the body can be sent again, as redirects, retries and challenges require.
    public let isReplayable: Bool

    /// Called after the last chunk, for trailer fields (RFC 9110, section 6.5). The body is then
    /// sent with chunked transfer coding, whatever its length. Announce the names of the fields in
    /// a `Trailer` field.
    ///
    /// CurlTransport sends trailers over HTTP/1.1. A transport that cannot send trailers fails the
    /// request before it sends data.
    public var trailers: (@Sendable () -> [HeaderField])?

    /// Creates a synchronous reader at the beginning of the body. `nil` for bodies whose bytes may
    /// not be available immediately.
    ///
    /// A transport that reads on its own thread avoids a copy and a thread switch per chunk.
    /// ``makeChunks()`` works for every body.
    public var makeReader: (@Sendable () -> any BodyReader)?

    private let open: @Sendable () throws -> Chunks

    /// Creates a body that can be sent any number of times. `makeChunks` is called for each
    /// attempt.
    public init<Source: AsyncSequence & SendableMetatype>(
        length: Int64? = nil, _ makeChunks: @escaping @Sendable () throws -> Source
    ) where Source.Element == Data {
        self.length = length
        isReplayable = true
        open = { Chunks(try makeChunks()) }
    }

    /// Creates a body that can be sent once. A second attempt fails with
    /// `URLError(.requestBodyStreamExhausted)`.
    public init<Source: AsyncSequence & Sendable>(
        length: Int64? = nil, once chunks: Source
    ) where Source.Element == Data {
        self.length = length
        isReplayable = false
        let isTaken = Locked(false)
        open = {
            let isLate = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return isTaken
            }
            guard !isLate else {
                throw URLError(
                    .requestBodyStreamExhausted,
                    "The request's body can be sent only once, but a redirect, a retry or a "
                        + "challenge requires it again. Create the RequestBodyStream with a "
                        + "closure instead.", url: nil)
            }
            return Chunks(chunks)
        }
    }

    /// Returns the chunks from the beginning of the body, validated against ``length``. For
    /// transports.
    ///
    /// - Throws: The error of `makeChunks`, or `URLError(.requestBodyStreamExhausted)` for the
    ///   second attempt of a body that can be sent once.
    public func makeChunks() throws -> Chunks {
        var chunks = try open()
        chunks.expected = length
        return chunks
    }

    /// The chunks of a body. Iterate over them once.
    public struct Chunks: AsyncSequence {
        public typealias Element = Data

        fileprivate let makeNext: () -> () async throws -> Data?
        fileprivate var expected: Int64?

        fileprivate init<Source: AsyncSequence>(_ source: Source) where Source.Element == Data {
            makeNext = {
                var iterator = source.makeAsyncIterator()
                return { try await iterator.next() }
            }
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(nextChunk: makeNext(), expected: expected)
        }

        /// Iterates over the chunks of the body.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let nextChunk: () async throws -> Data?
            fileprivate let expected: Int64?
            fileprivate var count: Int64 = 0

            public mutating func next() async throws -> Data? {
                let chunk = try await nextChunk()
                count += Int64(chunk?.count ?? 0)
                if let expected, chunk == nil ? count != expected : count > expected {
                    let how = count < expected ? "ended after \(count)" : "goes on after all"
                    throw URLError(
                        .requestBodyStreamExhausted,
                        "The request's body \(how) of the \(expected) bytes that were announced.",
                        url: nil)
                }
                return chunk
            }
        }
    }
}
