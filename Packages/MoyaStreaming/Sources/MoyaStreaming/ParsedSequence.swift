import Foundation

/// The lines, values or events of a body, as they arrive. Leaving the loop cancels the request.
public struct ParsedSequence<Base: AsyncSequence, Element>: AsyncSequence
where Base.Element == Data {
    fileprivate let base: Base
    fileprivate let makeParse: @Sendable () -> Iterator.Parse

    init(_ base: Base, _ parser: some StreamParser<Element>) {
        self.base = base
        makeParse = {
            var parser = parser
            return { chunk, isAtEnd in
                if let chunk { parser.append(chunk) }
                return try parser.next(isAtEnd: isAtEnd)
            }
        }
    }

    /// Returns an iterator over the elements.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), parse: makeParse())
    }

    /// Iterator over the elements of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate typealias Parse = (_ chunk: Data?, _ isAtEnd: Bool) throws -> Element?

        fileprivate var base: Base.AsyncIterator
        fileprivate let parse: Parse
        fileprivate var isOver = false

        /// Returns the next element, or `nil` at the end of the body. Throws errors of the body,
        /// and ``StreamingError``.
        public mutating func next() async throws -> Element? {
            guard !isOver else { return nil }
            // If an error is thrown below, it ends the sequence.
            isOver = true
            var element = try parse(nil, false)
            while element == nil, let chunk = try await base.next() {
                element = try parse(chunk, false)
            }
            isOver = element == nil
            return try element ?? parse(nil, true)
        }
    }
}

extension ParsedSequence: Sendable where Base: Sendable {}

/// Parses values from chunks of any size. No I/O.
protocol StreamParser<Value>: Sendable {
    associatedtype Value

    mutating func append(_ chunk: Data)

    /// Returns the next complete value, or `nil` if more bytes are needed.
    ///
    /// - Parameter isAtEnd: Whether the body has ended, so that the remaining bytes may be a value.
    mutating func next(isAtEnd: Bool) throws -> Value?
}
