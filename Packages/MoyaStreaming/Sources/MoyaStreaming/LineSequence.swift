import Foundation

extension AsyncSequence where Element == Data {
    /// The lines of a body, as they arrive.
    ///
    /// ```swift
    /// for try await line in try await provider.stream(.log).lines { print(line) }
    /// ```
    ///
    /// A line ends with LF or CRLF, which are not part of it, or with the body. What is no UTF-8 is repaired.
    /// A line of more than 1 MiB ends the loop with a ``StreamingError``: see ``lines(limit:)``.
    public var lines: LineSequence<Self> { lines(limit: StreamingLimits.standard) }

    /// The lines of a body, as they arrive.
    ///
    /// - Parameter limit: The most bytes a line may have. A longer one ends the loop with a
    ///   ``StreamingError``.
    public func lines(limit: Int) -> LineSequence<Self> {
        LineSequence(base: self, limit: limit)
    }
}

/// The lines of a body. Leaving the loop ends the exchange.
public struct LineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    public typealias Element = String

    fileprivate let base: Base
    fileprivate let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(lines: LineReader(base.makeAsyncIterator(), limit: limit))
    }

    /// Walks the lines of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var lines: LineReader<Base.AsyncIterator>

        public mutating func next() async throws -> String? {
            try await lines.next().map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension LineSequence: Sendable where Base: Sendable {}

/// Reads lines out of chunks.
struct LineReader<Base: AsyncIteratorProtocol> where Base.Element == Data {
    private var base: Base
    private var splitter: LineSplitter
    private var isOver = false

    init(_ base: Base, limit: Int) {
        self.base = base
        splitter = LineSplitter(limit: limit)
    }

    mutating func next() async throws -> ArraySlice<UInt8>? {
        guard !isOver else { return nil }
        do {
            while true {
                if let line = try splitter.next() { return line }
                guard let chunk = try await base.next() else { break }
                splitter.append(chunk)
            }
            isOver = true
            return try splitter.takeRest()
        } catch {
            isOver = true
            throw error
        }
    }
}
