import Foundation
import MoyaCore

/// `multipart/form-data` body (RFC 7578).
///
/// ```swift
/// let form: MultipartFormData = [
///     MultipartFormBodyPart(provider: .data(Data("A cat".utf8)), name: "title"),
///     MultipartFormBodyPart(provider: .file(picture), name: "picture"),
/// ]
/// ```
///
/// The parts are read while they are sent. The body is never assembled in memory.
public struct MultipartFormData: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Source of a part's bytes.
    public enum FormDataProvider: Hashable, @unchecked Sendable {
        // Safe: `InputStream` is the only payload that is not Sendable. This type only holds the
        // stream and compares its identity. A reader claims the stream first (see
        // InputStreamSource), and a claim succeeds once.

        /// Bytes in memory.
        case data(Data)
        /// Local file, read while it is sent.
        case file(URL)
        /// Stream that delivers exactly the given number of bytes.
        ///
        /// The form owns the stream. A stream can be read once, so a redirect or retry that has to
        /// send the body again fails.
        case stream(InputStream, UInt64)
        /// Asynchronous sequence of chunks.
        case sequence(PartSequence)
        /// Nested parts, sent as `multipart/mixed` (RFC 2046, section 5.1.3).
        indirect case mixed(MultipartFormData)
    }

    /// File manager that looks up the files. `FileManager.default` by default.
    public let fileManager: FileManager

    /// Delimiter between the parts: 1 to 70 characters (RFC 2046, section 5.1.1) that occur in no
    /// part. `nil`, the default, creates a random boundary.
    public let boundary: String?

    /// Parts, in order.
    public let parts: [MultipartFormBodyPart]

    /// Creates a form without validating it. A form without parts, or with an invalid part, fails
    /// the request before anything is sent.
    ///
    /// - Parameter boundary: Boundary for servers that require a specific one. The boundaries of a
    ///   form and of a form nested in it must not be prefixes of each other.
    public init(
        fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]
    ) {
        self.fileManager = fileManager
        self.boundary = boundary
        self.parts = parts
    }

    /// Creates a form with a random boundary.
    public init(arrayLiteral elements: MultipartFormBodyPart...) {
        self.init(parts: elements)
    }

    // Compares `fileManager` by identity, because not every platform's `FileManager` is Hashable.
    /// Whether both forms have the same file manager, boundary and parts.
    public static func == (left: Self, right: Self) -> Bool {
        left.fileManager === right.fileManager && left.boundary == right.boundary
            && left.parts == right.parts
    }

    /// Hashes the boundary and the parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(boundary)
        hasher.combine(parts)
    }
}
