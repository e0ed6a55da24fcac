import Foundation
import MoyaCore

/// Part of a ``MultipartFormData``.
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// Source of the part's bytes.
    public let provider: MultipartFormData.FormDataProvider

    /// Name of the form field. Quotation marks and line ends are escaped when the name is sent.
    public let name: String

    /// File name of the part. `nil`, the default, sends the last path component of a
    /// ``MultipartFormData/FormDataProvider/file(_:)``, and no file name for other parts.
    public let fileName: String?

    /// Media type of the part. `nil`, the default, looks up a file's extension and falls back to
    /// `application/octet-stream`. Other parts are then sent without a `Content-Type`, which means
    /// `text/plain` (RFC 7578, section 4.4).
    public let mimeType: String?

    /// Further header fields of the part, in order. `Content-Disposition` and `Content-Type` are
    /// derived from the properties above.
    public let headers: [HeaderField]

    /// Creates a part without validating it. An invalid part fails the request before anything is
    /// sent.
    ///
    /// - Parameters:
    ///   - fileName: File name. `nil` sends a file's last path component, and no file name for
    ///     other parts.
    ///   - mimeType: Media type. `nil` looks up a file's extension, and sends no media type for
    ///     other parts. An empty string sends no media type for a file either.
    ///   - headers: Further header fields. `Content-Disposition` or `Content-Type` among them fails
    ///     the request.
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
