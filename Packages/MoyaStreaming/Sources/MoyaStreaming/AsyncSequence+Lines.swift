import Foundation

extension AsyncSequence where Element == Data {
    /// The lines of a body, as they arrive.
    ///
    /// ```swift
    /// for try await line in try await provider.stream(.log).lines { print(line) }
    /// ```
    ///
    /// A line ends with LF or CRLF, which are removed, or with the body. Invalid UTF-8 is replaced
    /// by U+FFFD. A line of more than 1 MiB ends the loop with a ``StreamingError``: see
    /// ``lines(limit:)``.
    public var lines: ParsedSequence<Self, String> { lines(limit: StreamingLimits.standard) }

    /// The lines of a body, as they arrive.
    ///
    /// - Parameter limit: Maximum size of a line, in bytes. A longer line ends the loop with a
    ///   ``StreamingError``.
    public func lines(limit: Int) -> ParsedSequence<Self, String> {
        ParsedSequence(self, LineParser(splitter: LineSplitter(limit: limit)))
    }
}

/// Splits a body into lines of text.
private struct LineParser: StreamParser {
    var splitter: LineSplitter

    mutating func append(_ chunk: Data) { splitter.append(chunk) }

    mutating func next(isAtEnd: Bool) throws -> String? {
        try splitter.next(isAtEnd: isAtEnd).map { String(decoding: $0, as: UTF8.self) }
    }
}
