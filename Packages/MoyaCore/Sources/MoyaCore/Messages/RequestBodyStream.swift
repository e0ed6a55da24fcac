import Foundation
import MoyaInternals

/// A request body that comes piece by piece and is never whole in memory.
///
/// ```swift
/// let body = RequestBodyStream(length: size) { try MyFileChunks(path) }  // can be sent again
/// let once = RequestBodyStream(once: recorder.samples)                   // cannot
/// ```
///
/// The transport asks for a piece when it has room for it. What the sequence throws, the exchange fails
/// with.
public struct RequestBodyStream: Sendable {
    /// The number of bytes, sent as `Content-Length`, or `nil` where it is not known before the end: the body
    /// is then sent in chunks (RFC 9112, section 7.1). A body with more or fewer bytes than this fails the
    /// exchange with `URLError(.requestBodyStreamExhausted)`.
    public let length: Int64?
    /// Whether the body can be sent more than once. Redirects, retries and challenges need that.
    public let isReplayable: Bool

    /// Called after the last piece, for fields that come after the body (RFC 9110, section 6.5). The body is then
    /// sent in chunks, whatever its length. Announce the fields' names in a `Trailer` field.
    ///
    /// CurlTransport sends them over HTTP/1.1. A transport that cannot send them fails the exchange before
    /// anything is sent.
    public var trailers: (@Sendable () -> [HeaderField])?

    /// Makes a reader that starts at the beginning of the body, where reading does not wait. `nil` for other bodies.
    ///
    /// A transport that reads on a thread of its own saves a copy and a change of thread for each piece. All bodies can be
    /// read with ``makeChunks()``.
    public var makeReader: (@Sendable () -> any BodyReader)?

    private let open: @Sendable () throws -> Chunks

    /// A body that can be sent any number of times: `makeChunks` starts it from the beginning.
    public init<Source: AsyncSequence & SendableMetatype>(
        length: Int64? = nil, _ makeChunks: @escaping @Sendable () throws -> Source
    ) where Source.Element == Data {
        self.length = length
        isReplayable = true
        open = { Chunks(try makeChunks()) }
    }

    /// A body that can be sent once. The second attempt fails with
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
                    "The request's body can be sent once only, and something (a redirect, a retry or a "
                        + "challenge) asked for it again. Make a RequestBodyStream that starts anew.",
                    url: nil)
            }
            return Chunks(chunks)
        }
    }

    /// The pieces, from the beginning, checked against ``length``. For transports.
    ///
    /// - Throws: Why the body cannot be had.
    public func makeChunks() throws -> Chunks {
        var chunks = try open()
        chunks.expected = length
        return chunks
    }

    /// The pieces of a body. Iterate over it once.
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

        /// Walks the pieces of the body.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let nextChunk: () async throws -> Data?
            fileprivate let expected: Int64?
            private var count: Int64 = 0

            fileprivate init(nextChunk: @escaping () async throws -> Data?, expected: Int64?) {
                self.nextChunk = nextChunk
                self.expected = expected
            }

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
