import Foundation

/// Limits for the number and size of the parts of a multipart body.
public struct MultipartLimits: Sendable, Hashable {
    /// Maximum number of parts. 1,000 by default.
    public var partCount: Int
    /// Maximum size of one part's header fields, in bytes. 16 KiB by default.
    public var headerSize: Int
    /// Maximum size of one part's content, in bytes. 256 MiB by default.
    public var partSize: Int64

    /// Number of bytes after the closing delimiter that ``MultipartReader`` reads and ignores
    /// before it stops reading. 64 KiB by default. With 0, it stops at the closing delimiter.
    ///
    /// Reading a response to its end lets its connection be reused. The limit exists because the
    /// bytes after the delimiter may never end. If the server sends nothing and keeps the body
    /// open, the reader waits until the request times out.
    public var epilogueSize: Int

    /// Creates limits. The defaults suit most responses. A limit of 0 allows no part, no header
    /// field or no content.
    public init(
        partCount: Int = 1_000, headerSize: Int = 16 << 10, partSize: Int64 = 256 << 20,
        epilogueSize: Int = 64 << 10
    ) {
        self.partCount = partCount
        self.headerSize = headerSize
        self.partSize = partSize
        self.epilogueSize = epilogueSize
    }
}

/// Reason why a multipart body cannot be read.
public struct MultipartReadingError: Error, Sendable, Equatable, LocalizedError,
    CustomStringConvertible
{
    /// Message with the cause.
    public let description: String
    /// The same text as ``description``.
    public var errorDescription: String? { description }

    /// The body ends without a closing delimiter.
    static let truncated = MultipartReadingError(
        description: "The multipart body ends before its closing delimiter, so parts may be "
            + "missing. Send the request again.")

    /// A part has a header field without a name, or with invalid characters.
    static let malformedHeader = MultipartReadingError(
        description: "A part of the multipart body has a header field without a name, or with "
            + "invalid characters. The sender has to correct it.")

    /// The body has more parts than ``MultipartLimits/partCount``.
    static func tooManyParts(limit: Int) -> MultipartReadingError {
        MultipartReadingError(
            description: "The multipart body has more than \(limit) parts. If that is expected, "
                + "raise MultipartLimits.partCount.")
    }

    /// The header fields of a part are larger than ``MultipartLimits/headerSize``.
    static func headerTooLarge(limit: Int) -> MultipartReadingError {
        MultipartReadingError(
            description: "A part of the multipart body has more than \(limit) bytes of header "
                + "fields. If that is expected, raise MultipartLimits.headerSize.")
    }

    /// A part is larger than ``MultipartLimits/partSize``.
    static func partTooLarge(limit: Int64) -> MultipartReadingError {
        MultipartReadingError(
            description: "A part of the multipart body has more than \(limit) bytes. If that is "
                + "expected, raise MultipartLimits.partSize.")
    }

    /// The given boundary is invalid (RFC 2046, section 5.1.1).
    static func badBoundary(_ boundary: String) -> MultipartReadingError {
        MultipartReadingError(description: MultipartFormError.boundary(boundary).description)
    }

    /// The content type is not multipart, or has no valid boundary.
    static func noBoundary(contentType: String?) -> MultipartReadingError {
        let wanted = "multipart/… with a boundary"
        guard let contentType else {
            return MultipartReadingError(
                description: "The response has no Content-Type; \(wanted) is required.")
        }
        return MultipartReadingError(
            description: "The Content-Type \(contentType.debugDescription) is not \(wanted) of 1 "
                + "to 70 characters.")
    }
}
