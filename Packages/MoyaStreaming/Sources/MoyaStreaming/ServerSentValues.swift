import Foundation
import MoyaCore

/// The decoded data of server-sent events, as they arrive.
///
/// ```swift
/// for try await chunk in provider.serverSentEvents(.chat, of: Chunk.self) {
///     print(chunk.text)
/// }
/// ```
///
/// The data of each event is decoded, whatever the event's type is. There are two exceptions, which
/// APIs that stream values have in common:
///
/// - An event with the data `[DONE]` ends the loop and the request. A server need not send it.
/// - An event with the type `error` ends the loop with a ``StreamingError``, whose
///   ``StreamingError/failure(as:)`` decodes the server's description of the error.
///
/// An event that cannot be decoded ends the loop with a ``StreamingError``, too. For events of
/// several formats, use `serverSentEvents(_:options:)` and decode each event's data.
public struct ServerSentValues<Base: AsyncSequence, Value: Decodable & SendableMetatype>:
    AsyncSequence
where Base.Element == ServerSentEvent {
    /// Each element is the decoded data of an event.
    public typealias Element = Value

    private let base: Base
    private let decoder: any BodyDecoder

    init(_ base: Base, decoder: any BodyDecoder) {
        self.base = base
        self.decoder = decoder
    }

    /// Returns an iterator over the values.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), decoder: decoder)
    }

    /// Iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` after the end. Releasing it cancels the request.
        fileprivate var base: Base.AsyncIterator?
        fileprivate let decoder: any BodyDecoder

        /// Returns the next value, or `nil` at the end. Throws errors of the request and of the
        /// body, and ``StreamingError``.
        public mutating func next() async throws -> Value? {
            guard var events = base else { return nil }
            // If an error is thrown below, it ends the sequence.
            base = nil
            guard let event = try await events.next(), event.data != "[DONE]" else { return nil }
            guard event.type != "error" else { throw StreamingError.sent(event, decoder) }
            do {
                let value = try decoder.decode(Value.self, from: Data(event.data.utf8))
                base = events
                return value
            } catch {
                throw StreamingError.undecodable(event, decoder, error)
            }
        }
    }
}

extension ServerSentValues: Sendable where Base: Sendable {}
