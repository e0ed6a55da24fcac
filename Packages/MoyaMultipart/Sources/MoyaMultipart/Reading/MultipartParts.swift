import Foundation
import MoyaCore

extension MultipartReader {
    /// The parts, each of them whole. One is in memory at a time, of at most ``MultipartLimits/partSize`` bytes.
    public var parts: MultipartParts<Source> { MultipartParts(reader: self) }
}

/// The parts of a multipart body, each of them whole.
public struct MultipartParts<Source: AsyncSequence>: AsyncSequence where Source.Element == Data {
    public typealias Element = MultipartPart

    fileprivate let reader: MultipartReader<Source>

    public func makeAsyncIterator() -> Iterator {
        Iterator(events: reader.makeAsyncIterator())
    }

    /// Walks the parts of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: MultipartReader<Source>.Iterator

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

/// Puts the events of a part together.
struct PartCollector {
    private var part = MultipartPart(header: MultipartHeader(), body: Data())

    /// The part, once it is whole.
    mutating func add(_ event: MultipartParser.Event) -> MultipartPart? {
        switch event {
        case .part(let header): part = MultipartPart(header: header, body: Data())
        case .data(let data): part.body.isEmpty ? part.body = data : part.body.append(data)
        case .end: return part
        }
        return nil
    }
}
