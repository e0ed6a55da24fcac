import Foundation
import MoyaCore

extension AsyncSequence where Element == Data {
    /// The events of a body of type `text/event-stream`, as they arrive.
    ///
    /// The loop ends with the body. ``MoyaCore/MoyaProvider/serverSentEvents(_:options:)``
    /// reconnects instead.
    ///
    /// - Parameter limit: Maximum size of a line and of an event's data, in bytes. Default: 1 MiB.
    ///   A longer line or event ends the loop with a ``StreamingError``.
    public func serverSentEvents(
        limit: Int = StreamingLimits.standard
    ) -> ParsedSequence<Self, ServerSentEvent> {
        ParsedSequence(self, ServerSentEventParser(limit: limit))
    }

    /// The events of a body of type `text/event-stream`, as they arrive, with a limit of 1 MiB.
    public var serverSentEvents: ParsedSequence<Self, ServerSentEvent> { serverSentEvents() }

    /// The decoded data of the events of a body of type `text/event-stream`, as they arrive. See
    /// ``ServerSentValues``.
    ///
    /// - Parameters:
    ///   - type: Type of the values, with a conformance that is not isolated: see
    ///     ``jsonLines(of:using:limit:)``.
    ///   - decoder: Decodes the data of each event. `nil` uses the decoder for `application/json`
    ///     of the `Coders` of the target or the provider.
    ///   - limit: Maximum size of a line and of an event's data, in bytes. Default: 1 MiB.
    public func serverSentEvents<Value: Decodable & SendableMetatype>(
        of type: Value.Type, using decoder: (any BodyDecoder)? = nil,
        limit: Int = StreamingLimits.standard
    ) -> ServerSentValues<ParsedSequence<Self, ServerSentEvent>, Value> {
        ServerSentValues(serverSentEvents(limit: limit), decoder: decoder ?? jsonDecoder)
    }
}

extension ServerSentEventParser: StreamParser {
    /// An event is complete at its empty line, so an unfinished event at the end is dropped.
    mutating func next(isAtEnd: Bool) throws -> ServerSentEvent? { isAtEnd ? nil : try next() }
}
