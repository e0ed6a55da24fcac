import Foundation

extension AsyncSequence where Element == Data {
    /// The values of a body with one JSON text on each line (JSON Lines, NDJSON), as they arrive.
    ///
    /// ```swift
    /// for try await event in try await provider.stream(.events).jsonLines(of: Event.self) { … }
    /// ```
    ///
    /// Empty lines are passed over. A line that cannot be decoded, or has more bytes than it may, ends the
    /// loop with a ``StreamingError``.
    ///
    /// - Parameter limit: The most bytes a line may have.
    public func jsonLines<Value: Decodable>(
        of type: Value.Type, using decoder: JSONDecoder = JSONDecoder(),
        limit: Int = StreamingLimits.standard
    ) -> JSONLineSequence<Self, Value> {
        JSONLineSequence(base: self, decoder: decoder, limit: limit)
    }
}

/// The values of a body with one JSON text on each line. Leaving the loop ends the exchange.
public struct JSONLineSequence<Base: AsyncSequence, Value: Decodable>: AsyncSequence
where Base.Element == Data {
    public typealias Element = Value

    fileprivate let base: Base
    fileprivate let decoder: JSONDecoder
    fileprivate let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(lines: LineReader(base.makeAsyncIterator(), limit: limit), decoder: decoder)
    }

    /// Walks the values of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var lines: LineReader<Base.AsyncIterator>
        fileprivate let decoder: JSONDecoder
        private var number = 0

        fileprivate init(lines: LineReader<Base.AsyncIterator>, decoder: JSONDecoder) {
            self.lines = lines
            self.decoder = decoder
        }

        public mutating func next() async throws -> Value? {
            while let line = try await lines.next() {
                number += 1
                guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
                    continue
                }
                do {
                    return try decoder.decode(Value.self, from: Data(line))
                } catch {
                    throw StreamingError.undecodable(line: number, error)
                }
            }
            return nil
        }
    }
}

extension JSONLineSequence: Sendable where Base: Sendable {}
