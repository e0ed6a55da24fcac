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
        /// The media type of the response is not `text/event-stream`.
        case notAnEventStream
    }

    /// Reason of the error.
    public let reason: Reason
    /// Describes the error, and how to resolve it.
    public let description: String
    /// The decoding error, if ``reason`` is ``Reason/undecodableLine(_:)``.
    public let underlyingError: (any Error)?
    /// Describes the error, and how to resolve it.
    public var errorDescription: String? { description }

    private init(_ reason: Reason, _ description: String, _ cause: (any Error)? = nil) {
        self.reason = reason
        self.description = description
        underlyingError = cause
    }

    static func tooLong(_ subject: String, _ limit: Int) -> StreamingError {
        StreamingError(
            .tooLong,
            "\(subject) has more than \(limit) bytes. If that is expected, pass a higher limit.")
    }

    static func undecodable(line: Int, _ cause: any Error) -> StreamingError {
        let reason =
            if let cause = cause as? DecodingError {
                DecodingPlace.describe(cause, in: "the line") + "."
            } else {
                Redaction.default.redact(text: cause.localizedDescription)
            }
        return StreamingError(
            .undecodableLine(line), "Line \(line) could not be decoded: \(reason)", cause)
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
