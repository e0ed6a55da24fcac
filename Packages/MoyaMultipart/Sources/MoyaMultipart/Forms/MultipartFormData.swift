import Foundation
import MoyaCore

/// The parts of a `multipart/form-data` body (RFC 7578).
///
/// ```swift
/// let form: MultipartFormData = [
///     MultipartFormBodyPart(provider: .data(Data("A cat".utf8)), name: "title"),
///     MultipartFormBodyPart(provider: .file(picture), name: "picture"),
/// ]
/// ```
///
/// It is never put together in memory: its parts are read while they are sent.
public struct MultipartFormData: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Where the bytes of a part come from.
    public enum FormDataProvider: Hashable, @unchecked Sendable {
        // Safe to share: an InputStream is the one payload that is not Sendable. Here it is only held and told
        // from others by its identity. A reader has to claim it first (see InputStreamSource), which
        // succeeds once.

        /// These bytes.
        case data(Data)
        /// The bytes of this local file, read while they are sent.
        case file(URL)
        /// All bytes of this stream, of which there have to be so many.
        ///
        /// The stream belongs to the form from here on. It can be read once, so a redirect or a retry that
        /// would need the body again fails.
        case stream(InputStream, UInt64)
        /// What this sequence brings.
        case sequence(PartSequence)
        /// Parts of their own, as `multipart/mixed` (RFC 2046, section 5.1.3).
        indirect case mixed(MultipartFormData)
    }

    /// Looks the files up. `FileManager.default` by default.
    public let fileManager: FileManager

    /// What separates the parts: 1 to 70 characters (RFC 2046, section 5.1.1) that occur in none of them.
    /// `nil`, the default, stands for a random one.
    public let boundary: String?

    /// The parts, in order.
    public let parts: [MultipartFormBodyPart]

    /// Checks nothing yet: a form without parts, or with one that cannot be sent, fails the request before anything is.
    ///
    /// - Parameter boundary: Only for servers that want a certain one. Neither it nor that of a form
    ///   inside may start with the other.
    public init(
        fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]
    ) {
        self.fileManager = fileManager
        self.boundary = boundary
        self.parts = parts
    }

    public init(arrayLiteral elements: MultipartFormBodyPart...) {
        self.init(parts: elements)
    }

    // Not every platform's FileManager is Hashable.
    public static func == (left: Self, right: Self) -> Bool {
        left.fileManager === right.fileManager && left.boundary == right.boundary
            && left.parts == right.parts
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(boundary)
        hasher.combine(parts)
    }
}
