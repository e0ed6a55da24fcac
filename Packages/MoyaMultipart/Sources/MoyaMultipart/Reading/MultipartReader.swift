import Foundation
import MoyaCore

/// Asynchronous sequence that parses a multipart body while it arrives.
///
/// ```swift
/// let reader = try MultipartReader(chunks, contentType: "multipart/mixed; boundary=b")
/// for try await event in reader {
///     switch event {
///     case .part(let header): print(header.name ?? "a part")
///     case .data(let chunk): try file.write(contentsOf: chunk)
///     case .end: try file.close()
///     }
/// }
/// ```
///
/// For small parts, ``parts`` returns each part as a whole. Iteration throws
/// ``MultipartReadingError`` if the body is malformed or exceeds ``MultipartLimits``, and rethrows
/// errors of the source. After the closing delimiter, at most
/// ``MultipartLimits/epilogueSize`` bytes are read, and ignored.
public struct MultipartReader<Source: AsyncSequence>: AsyncSequence where Source.Element == Data {
    /// Event of the parser.
    public typealias Element = MultipartParser.Event

    private let source: Source
    private let parser: MultipartParser

    /// Creates a reader of `source`, a body with the given `Content-Type`.
    ///
    /// - Throws: ``MultipartReadingError`` for a type that is not multipart, or has no valid
    ///   boundary.
    public init(
        _ source: Source, contentType: String?, limits: MultipartLimits = MultipartLimits()
    ) throws {
        self.source = source
        parser = try MultipartParser(contentType: contentType, limits: limits)
    }

    /// Creates a reader of `source`, a body with the given boundary.
    ///
    /// - Throws: ``MultipartReadingError`` for a boundary that RFC 2046 does not allow.
    public init(
        _ source: Source, boundary: String, limits: MultipartLimits = MultipartLimits()
    ) throws {
        self.source = source
        parser = try MultipartParser(boundary: boundary, limits: limits)
    }

    /// Returns an iterator over the events.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source.makeAsyncIterator(), parser: parser)
    }

    /// Iterator over the events of a body.
    public struct Iterator: AsyncIteratorProtocol {
        private var source: Source.AsyncIterator
        private var parser: MultipartParser
        private var chunk = Data()
        private var events: ArraySlice<MultipartParser.Event> = []
        private var isOver = false
        /// Number of bytes that may still be read after the closing delimiter.
        private var epilogueLeft: Int

        fileprivate init(source: Source.AsyncIterator, parser: MultipartParser) {
            self.source = source
            self.parser = parser
            epilogueLeft = Swift.max(0, parser.limits.epilogueSize)
        }

        /// Returns the next event, or `nil` at the end of the body.
        ///
        /// - Throws: ``MultipartReadingError``; errors of the source.
        public mutating func next() async throws -> MultipartParser.Event? {
            while events.isEmpty, !isOver {
                do {
                    try await readOn()
                } catch {
                    isOver = true
                    throw error
                }
            }
            return events.popFirst()
        }

        private mutating func readOn() async throws {
            if !chunk.isEmpty {
                // A chunk may be a whole body in memory, so it is parsed in smaller pieces.
                events = try parser.parse(chunk.prefix(Chunk.size))[...]
                chunk = chunk.dropFirst(Chunk.size)
                if parser.isClosed {
                    epilogueLeft -= chunk.count
                    chunk = Data()
                }
            } else if parser.isClosed {
                let next = epilogueLeft > 0 ? try await source.next() : nil
                epilogueLeft -= next?.count ?? 0
                isOver = next == nil
            } else if let next = try await source.next() {
                chunk = next
            } else {
                isOver = true
                events = try parser.finish()[...]
            }
        }
    }
}

extension MultipartReader: Sendable where Source: Sendable {}
