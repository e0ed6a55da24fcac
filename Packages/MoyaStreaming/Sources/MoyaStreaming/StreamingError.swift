import Foundation
import MoyaCore
import MoyaInternals

/// A response could not be parsed, although the request succeeded.
public struct StreamingError: Error, Sendable, LocalizedError, CustomStringConvertible {
    /// Reason of the error.
    public enum Reason: Sendable, Equatable {
        /// A line or an event exceeds its limit.
        case tooLong
        /// A line could not be decoded as JSON of the requested type. Lines are counted from 1.
        case undecodableLine(Int)
        /// The data of an event could not be decoded as the requested type.
        case undecodableEvent
        /// The server sent an event with the type `error`.
        case errorEvent
        /// The media type of the response is not `text/event-stream`.
        case notAnEventStream
    }

    /// Reason of the error.
    public let reason: Reason
    /// Describes the error, and how to resolve it.
    public let description: String
    /// The decoding error, if ``reason`` is ``Reason/undecodableLine(_:)`` or
    /// ``Reason/undecodableEvent``.
    public let underlyingError: (any Error)?
    /// The event, if ``reason`` is ``Reason/undecodableEvent`` or ``Reason/errorEvent``.
    public let event: ServerSentEvent?
    /// Decodes the data of ``event``.
    private let decoder: (any BodyDecoder)?
    /// Describes the error, and how to resolve it.
    public var errorDescription: String? { description }

    private init(
        _ reason: Reason, _ description: String, _ cause: (any Error)? = nil,
        event: ServerSentEvent? = nil, decoder: (any BodyDecoder)? = nil
    ) {
        self.reason = reason
        self.description = description
        underlyingError = cause
        self.event = event
        self.decoder = decoder
    }

    /// Decodes the data of ``event``, for example the API's own error, as the values of the stream
    /// are decoded. Returns `nil` without an event, and if the data cannot be decoded.
    ///
    /// ```swift
    /// } catch let error as StreamingError {
    ///     if let failure = error.failure(as: APIError.self) { … }
    /// }
    /// ```
    public func failure<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        guard let event, let decoder else { return nil }
        return try? decoder.decode(type, from: Data(event.data.utf8))
    }

    static func tooLong(_ subject: String, _ limit: Int) -> StreamingError {
        StreamingError(
            .tooLong,
            "\(subject) has more than \(limit) bytes. If that is expected, pass a higher limit.")
    }

    static func undecodable(line: Int, _ cause: any Error) -> StreamingError {
        StreamingError(
            .undecodableLine(line),
            "Line \(line) could not be decoded: \(text(of: cause, in: "the line"))", cause)
    }

    static func undecodable(
        _ event: ServerSentEvent, _ decoder: any BodyDecoder, _ cause: any Error
    ) -> StreamingError {
        StreamingError(
            .undecodableEvent,
            "The data of an event could not be decoded: \(text(of: cause, in: "the data"))", cause,
            event: event, decoder: decoder)
    }

    /// The error of an event with the type `error`. Its text quotes at most 200 characters.
    static func sent(_ event: ServerSentEvent, _ decoder: any BodyDecoder) -> StreamingError {
        let data = Redaction.default.redact(body: Data(event.data.utf8), upTo: 2000)
        let text = String(decoding: data, as: UTF8.self)
        return StreamingError(
            .errorEvent,
            "The server sent an error event: \(text.prefix(200))\(text.count > 200 ? "…" : "")",
            event: event, decoder: decoder)
    }

    private static func text(of cause: any Error, in document: String) -> String {
        if let cause = cause as? DecodingError {
            return DecodingPlace.describe(cause, in: document) + "."
        }
        return Redaction.default.redact(text: cause.localizedDescription)
    }

    static func notAnEventStream(_ type: String?) -> StreamingError {
        StreamingError(
            .notAnEventStream,
            "The response's Content-Type is \(type?.debugDescription ?? "missing"), not "
                + "text/event-stream. Check the URL, and the Accept field of the request.")
    }
}

/// Limits of streamed parsing.
public enum StreamingLimits {
    /// Default maximum size of a line or an event: 1 MiB.
    public static let standard = 1 << 20
}
