import Foundation
import MoyaCore

/// Takes a multipart body apart while it arrives.
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
/// Where parts are small, ``parts`` gives them whole. Throws ``MultipartReadingError`` for a body that is not
/// multipart or exceeds ``MultipartLimits``, and what its source throws. Of what follows the closing delimiter no
/// more is read than
/// ``MultipartLimits/epilogueSize``, and all of it ignored.
public struct MultipartReader<Source: AsyncSequence>: AsyncSequence where Source.Element == Data {
    public typealias Element = MultipartParser.Event

    private let source: Source
    private let parser: MultipartParser

    /// Reads `source`, a body of this `Content-Type`.
    ///
    /// - Throws: ``MultipartReadingError`` for a type that is not multipart or names no boundary.
    public init(
        _ source: Source, contentType: String?, limits: MultipartLimits = MultipartLimits()
    ) throws {
        self.source = source
        parser = try MultipartParser(contentType: contentType, limits: limits)
    }

    /// Reads `source`, a body with this boundary.
    ///
    /// - Throws: ``MultipartReadingError`` for a boundary that RFC 2046 does not allow.
    public init(
        _ source: Source, boundary: String, limits: MultipartLimits = MultipartLimits()
    ) throws {
        self.source = source
        parser = try MultipartParser(boundary: boundary, limits: limits)
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source.makeAsyncIterator(), parser: parser)
    }

    /// Walks the events of a body.
    public struct Iterator: AsyncIteratorProtocol {
        private var source: Source.AsyncIterator
        private var parser: MultipartParser
        private var chunk = Data()
        private var events: ArraySlice<MultipartParser.Event> = []
        private var isOver = false
        /// How many bytes may still come after the closing delimiter.
        private var epilogueLeft: Int

        fileprivate init(source: Source.AsyncIterator, parser: MultipartParser) {
            self.source = source
            self.parser = parser
            epilogueLeft = Swift.max(0, parser.limits.epilogueSize)
        }

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
                // In pieces: a chunk may be all of a body in memory.
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
