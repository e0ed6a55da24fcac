import Foundation

/// What the bytes of a body say, as they arrive: lines, values or events. Leaving the loop ends the exchange.
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

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), parse: makeParse())
    }

    /// Walks what a body says.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate typealias Parse = (_ chunk: Data?, _ isAtEnd: Bool) throws -> Element?

        fileprivate var base: Base.AsyncIterator
        fileprivate let parse: Parse
        private var isOver = false

        fileprivate init(base: Base.AsyncIterator, parse: @escaping Parse) {
            self.base = base
            self.parse = parse
        }

        public mutating func next() async throws -> Element? {
            guard !isOver else { return nil }
            // Whatever is thrown here is the end.
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

/// Makes values of bytes that come in pieces of any size, without any I/O.
protocol StreamParser<Value>: Sendable {
    associatedtype Value

    mutating func append(_ chunk: Data)

    /// The next whole value. `nil` until more has come.
    ///
    /// - Parameter isAtEnd: Whether no more comes, so that what is left may be a value.
    mutating func next(isAtEnd: Bool) throws -> Value?
}
