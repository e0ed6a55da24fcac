import Foundation

/// How large the parts of a multipart body may be, and how many.
public struct MultipartLimits: Sendable, Hashable {
    /// The most parts. 1,000 by default.
    public var partCount: Int
    /// The most bytes the header fields of one part may have together. 16 KiB by default.
    public var headerSize: Int
    /// The most bytes one part may have. 256 MiB by default.
    public var partSize: Int64

    /// How many bytes ``MultipartReader`` reads, and ignores, after the closing delimiter before it ends its source.
    /// 64 KiB by default. With 0 it ends there at once.
    ///
    /// Who has read a response to its end can use the connection again. But what comes after the delimiter may never
    /// end, and a body that rests there is waited for as long as the request's timeout allows.
    public var epilogueSize: Int

    /// The defaults suit most responses. 0 allows nothing of its kind: no part, no header field, no byte.
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

/// Why a multipart body cannot be read.
public struct MultipartReadingError: Error, Sendable, Equatable, LocalizedError,
    CustomStringConvertible
{
    /// What was wrong.
    public let description: String
    public var errorDescription: String? { description }

    /// The body has no closing delimiter: something of it is missing.
    public static let truncated = MultipartReadingError(
        description: "The multipart body ends before its closing delimiter.")

    /// A part has a header field without a name or with characters that none can hold.
    public static let malformedHeader = MultipartReadingError(
        description: "A part of the multipart body has a malformed header field.")

    /// There are more parts than ``MultipartLimits/partCount``.
    public static func tooManyParts(limit: Int) -> MultipartReadingError {
        MultipartReadingError(description: "The multipart body has more than \(limit) parts.")
    }

    /// The header fields of a part are larger than ``MultipartLimits/headerSize``.
    public static func headerTooLarge(limit: Int) -> MultipartReadingError {
        MultipartReadingError(
            description:
                "A part of the multipart body has more than \(limit) bytes of header fields.")
    }

    /// A part is larger than ``MultipartLimits/partSize``.
    public static func partTooLarge(limit: Int64) -> MultipartReadingError {
        MultipartReadingError(
            description: "A part of the multipart body has more than \(limit) bytes.")
    }

    /// What was given as the boundary can be none (RFC 2046, section 5.1.1).
    public static func badBoundary(_ boundary: String) -> MultipartReadingError {
        MultipartReadingError(description: MultipartFormError.boundary(boundary).description)
    }

    /// The content type names no boundary that parts could be told by.
    public static func noBoundary(contentType: String?) -> MultipartReadingError {
        MultipartReadingError(
            description: "\(contentType.map(\.debugDescription) ?? "No content type") is not "
                + "that of a multipart body: it has to be multipart/… with a boundary of 1 to 70 characters."
        )
    }
}
