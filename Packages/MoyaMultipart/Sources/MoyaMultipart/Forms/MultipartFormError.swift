import Foundation

/// Reason why a multipart form cannot be encoded, or why its upload was aborted.
public struct MultipartFormError: Error, Sendable, Equatable, LocalizedError,
    CustomStringConvertible
{
    /// Message with the cause and the name of the part.
    public let description: String
    /// The same text as ``description``.
    public var errorDescription: String? { description }

    static let noParts = MultipartFormError(
        description: "The multipart form has no parts. Add at least one.")

    static func method(_ method: String) -> MultipartFormError {
        MultipartFormError(
            description: "\(method) cannot send a multipart form. Use POST, PUT or PATCH.")
    }

    static func boundary(_ boundary: String) -> MultipartFormError {
        MultipartFormError(
            description: "\(boundary.debugDescription) is not a valid boundary. Use 1 to 70 ASCII "
                + "letters, digits, spaces and characters of '()+_,-./:=?, and no space at the end "
                + "(RFC 2046, section 5.1.1).")
    }

    static func nestedBoundary(_ inner: String, in outer: String) -> MultipartFormError {
        MultipartFormError(
            description: "One of the boundaries \(outer.debugDescription) and "
                + "\(inner.debugDescription) starts with the other, so the inner parts would end the "
                + "outer ones. Leave out both for random boundaries.")
    }

    static func mimeType(_ mimeType: String, of name: String) -> MultipartFormError {
        MultipartFormError(
            description: "The MIME type \(mimeType.debugDescription) of the part "
                + "\(name.debugDescription) contains a control character. Remove it.")
    }

    static func header(_ header: String, of name: String) -> MultipartFormError {
        MultipartFormError(
            description: "The header field \(header.debugDescription) of the part "
                + "\(name.debugDescription) has an invalid name or value (RFC 9110, section 5). "
                + "Remove spaces from the name, and control characters from both.")
    }

    static func ownHeader(_ header: String, of name: String) -> MultipartFormError {
        MultipartFormError(
            description: "The part \(name.debugDescription) has \(header) among its header fields. "
                + "Set its name, fileName and mimeType instead.")
    }

    static func readTwice(_ name: String) -> MultipartFormError {
        MultipartFormError(
            description: "The stream of the part \(name.debugDescription) has been read already, "
                + "and cannot be read again. If the form may be sent again, use .data or .file.")
    }

    static func unreadable(_ name: String, _ cause: String) -> MultipartFormError {
        MultipartFormError(
            description: "The part \(name.debugDescription) cannot be read: \(cause)")
    }

    static func tooShort(_ name: String, got: Int64, of length: Int64) -> MultipartFormError {
        MultipartFormError(
            description: "The part \(name.debugDescription) ended after \(got) of its declared "
                + "\(length) bytes. Declare its actual length.")
    }

    static func tooLong(_ name: String, _ length: Int64) -> MultipartFormError {
        MultipartFormError(
            description: "The part \(name.debugDescription) exceeds its declared length of "
                + "\(length) byte\(length == 1 ? "" : "s"). Declare its actual length.")
    }
}
