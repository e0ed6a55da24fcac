import Foundation
import MoyaCore

/// One part of a ``MultipartFormData``.
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// Where its bytes come from.
    public let provider: MultipartFormData.FormDataProvider

    /// The name of the field. Any text: what could end it early is escaped.
    public let name: String

    /// The name of the file, if it is one. A file has its own name unless you say otherwise.
    public let fileName: String?

    /// The media type. That of a file follows from its name unless you say otherwise, and is
    /// `application/octet-stream` where it does not. Other parts have none by default, which means
    /// `text/plain` (RFC 7578, section 4.4).
    public let mimeType: String?

    /// Further header fields of the part, in order. `Content-Disposition` and `Content-Type` are made of the
    /// properties above.
    public let headers: [HeaderField]

    /// Checks nothing yet: a part that cannot be sent fails the request before anything is.
    ///
    /// - Parameters:
    ///   - fileName: `nil` is the name of a file, and none for everything else.
    ///   - mimeType: `nil` follows from the name of a file, and is none for everything else. An empty one is none for a
    ///     file as well.
    ///   - headers: A `Content-Disposition` or `Content-Type` among them fails the request.
    public init(
        provider: MultipartFormData.FormDataProvider, name: String, fileName: String? = nil,
        mimeType: String? = nil, headers: [HeaderField] = []
    ) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
        self.headers = headers
    }
}
