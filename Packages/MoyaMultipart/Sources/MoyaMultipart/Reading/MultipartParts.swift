import Foundation
import MoyaCore

extension MultipartReader {
    /// Complete parts. One part at a time is in memory, with at most ``MultipartLimits/partSize``
    /// bytes.
    public var parts: MultipartParts<Source> { MultipartParts(reader: self) }
}

/// Asynchronous sequence of complete parts of a multipart body.
public struct MultipartParts<Source: AsyncSequence>: AsyncSequence where Source.Element == Data {
    /// Part of the body.
    public typealias Element = MultipartPart

    fileprivate let reader: MultipartReader<Source>

    /// Returns an iterator over the parts.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: reader.makeAsyncIterator())
    }

    /// Iterator over the parts of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: MultipartReader<Source>.Iterator

        /// Returns the next part, or `nil` at the end of the body.
        ///
        /// - Throws: ``MultipartReadingError``; errors of the source.
        public mutating func next() async throws -> MultipartPart? {
            var collector = PartCollector()
            while let event = try await events.next() {
                if let part = collector.add(event) { return part }
            }
            return nil
        }
    }
}

extension MultipartParts: Sendable where Source: Sendable {}

/// Assembles a part from its events.
struct PartCollector {
    private var part = MultipartPart(header: MultipartHeader(), body: Data())

    /// Adds an event. Returns the part after its last event.
    mutating func add(_ event: MultipartParser.Event) -> MultipartPart? {
        switch event {
        case .part(let header): part = MultipartPart(header: header, body: Data())
        case .data(let data): part.body.isEmpty ? part.body = data : part.body.append(data)
        case .end: return part
        }
        return nil
    }
}
