import Foundation
import MoyaCore

extension AsyncSequence where Element == Data {
    /// Decodes a body with one JSON text per line (JSON Lines, NDJSON) as it arrives.
    ///
    /// ```swift
    /// for try await event in try await provider.stream(.events).jsonLines(of: Event.self) { … }
    /// ```
    ///
    /// Empty lines are skipped. A line that cannot be decoded, or exceeds `limit`, ends the loop
    /// with a ``StreamingError``.
    ///
    /// - Parameters:
    ///   - type: Type of the values. They are decoded outside of any actor, so the conformance must
    ///     not be isolated: in a module with main actor isolation by default, declare `nonisolated
    ///     struct Event: Decodable`.
    ///   - decoder: Decodes each line. `nil` uses the decoder for `application/json` of the
    ///     `Coders` of the target or the provider, and a plain `JSONDecoder` for a body that is not
    ///     a `StreamingResponse`.
    ///   - limit: Maximum size of a line, in bytes. Default: 1 MiB.
    public func jsonLines<Value: Decodable & SendableMetatype>(
        of type: Value.Type, using decoder: JSONDecoder? = nil,
        limit: Int = StreamingLimits.standard
    ) -> ParsedSequence<Self, Value> {
        let splitter = LineSplitter(limit: limit)
        return ParsedSequence(
            self, JSONLineParser(decoder: decoder ?? jsonDecoder, splitter: splitter))
    }

    /// The decoder of JSON in the body.
    var jsonDecoder: any BodyDecoder {
        ((self as? StreamingResponse)?.coders ?? .json).decoder(for: "application/json")
    }
}

/// Splits a body into lines, and decodes each.
private struct JSONLineParser<Value: Decodable & SendableMetatype>: StreamParser {
    let decoder: any BodyDecoder
    var splitter: LineSplitter
    var number = 0

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
