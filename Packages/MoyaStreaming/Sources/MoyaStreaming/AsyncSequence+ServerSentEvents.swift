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
    ) -> ParsedSequence<Self, ServerSentEvent> {
        ParsedSequence(self, ServerSentEventParser(limit: limit))
    }

    /// The events of a body of type `text/event-stream`, as they arrive.
    public var serverSentEvents: ParsedSequence<Self, ServerSentEvent> { serverSentEvents() }
}

extension ServerSentEventParser: StreamParser {
    /// An event without the empty line at its end is not whole.
    mutating func next(isAtEnd: Bool) throws -> ServerSentEvent? { isAtEnd ? nil : try next() }
}
