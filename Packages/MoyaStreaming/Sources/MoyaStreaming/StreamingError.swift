import Foundation

/// Why a response could not be read on, where the exchange itself was fine.
public struct StreamingError: Error, Sendable, LocalizedError, CustomStringConvertible {
    /// What kind of thing was wrong.
    public enum Reason: Sendable, Equatable {
        /// A line, or an event of many, has more bytes than it may have.
        case tooLong
        /// A line is not the JSON of the value it was to be. Lines are counted from 1.
        case undecodableLine(Int)
        /// The response is no `text/event-stream`.
        case notAnEventStream
    }

    /// What kind of thing was wrong.
    public let reason: Reason
    /// What was wrong, and what to do.
    public let description: String
    /// What it came from.
    public let underlyingError: (any Error)?
    public var errorDescription: String? { description }

    private init(_ reason: Reason, _ description: String, _ cause: (any Error)? = nil) {
        self.reason = reason
        self.description = description
        underlyingError = cause
    }

    static func lineTooLong(_ limit: Int) -> StreamingError {
        StreamingError(
            .tooLong, "A line has more than \(limit) bytes. Pass another limit if that is fine.")
    }

    static func eventTooLong(_ limit: Int) -> StreamingError {
        StreamingError(
            .tooLong, "An event has more than \(limit) bytes. Pass another limit if that is fine.")
    }

    static func undecodable(line: Int, _ cause: any Error) -> StreamingError {
        StreamingError(.undecodableLine(line), "Line \(line) could not be decoded.", cause)
    }

    static func notAnEventStream(_ type: String?) -> StreamingError {
        StreamingError(
            .notAnEventStream,
            "The response is \(type ?? "of no type"), where text/event-stream was expected.")
    }
}

/// The limits of what is read as a stream.
public enum StreamingLimits {
    /// The most bytes of a line or an event unless you say otherwise: 1 MiB.
    public static let standard = 1 << 20
}
