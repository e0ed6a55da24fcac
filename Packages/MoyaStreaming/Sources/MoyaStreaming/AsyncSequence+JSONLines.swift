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
    /// - Parameters:
    ///   - type: What a line holds. It is decoded outside of any actor, so its conformance is not isolated to one: in a module
    ///     that isolates everything to the main actor, write `nonisolated struct Event: Decodable`.
    ///   - limit: The most bytes a line may have.
    public func jsonLines<Value: Decodable & SendableMetatype>(
        of type: Value.Type, using decoder: JSONDecoder = JSONDecoder(),
        limit: Int = StreamingLimits.standard
    ) -> ParsedSequence<Self, Value> {
        ParsedSequence(self, JSONLineParser(decoder: decoder, limit: limit))
    }
}

/// Decodes lines.
private struct JSONLineParser<Value: Decodable & SendableMetatype>: StreamParser {
    let decoder: JSONDecoder
    var splitter: LineSplitter
    private var number = 0

    init(decoder: JSONDecoder, limit: Int) {
        self.decoder = decoder
        splitter = LineSplitter(limit: limit)
    }

    mutating func append(_ chunk: Data) { splitter.append(chunk) }

    mutating func next(isAtEnd: Bool) throws -> Value? {
        while let line = try splitter.next(isAtEnd: isAtEnd) {
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
