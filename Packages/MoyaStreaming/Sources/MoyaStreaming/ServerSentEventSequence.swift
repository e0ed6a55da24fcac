import Foundation

extension AsyncSequence where Element == Data {
    /// The events of a body of type `text/event-stream`, as they arrive.
    ///
    /// The loop ends with the body. To have lost connections made again, ask a provider:
    /// ``MoyaCore/MoyaProvider/serverSentEvents(_:options:)``.
    ///
    /// - Parameter limit: The most bytes of an event's data and of a line. A longer one ends the loop with
    ///   a ``StreamingError``.
    public func serverSentEvents(
        limit: Int = StreamingLimits.standard
    ) -> ServerSentEventSequence<Self> {
        ServerSentEventSequence(base: self, limit: limit)
    }

    /// The events of a body of type `text/event-stream`, as they arrive.
    public var serverSentEvents: ServerSentEventSequence<Self> { serverSentEvents() }
}

/// The events of one response. Leaving the loop ends the exchange.
public struct ServerSentEventSequence<Base: AsyncSequence>: AsyncSequence
where Base.Element == Data {
    public typealias Element = ServerSentEvent

    fileprivate let base: Base
    fileprivate let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), parser: ServerSentEventParser(limit: limit))
    }

    /// Walks the events of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate var parser: ServerSentEventParser

        public mutating func next() async throws -> ServerSentEvent? {
            while true {
                if let event = try parser.next() { return event }
                // An event without the empty line at its end is not whole.
                guard let chunk = try await base.next() else { return nil }
                parser.append(chunk)
            }
        }
    }
}

extension ServerSentEventSequence: Sendable where Base: Sendable {}
