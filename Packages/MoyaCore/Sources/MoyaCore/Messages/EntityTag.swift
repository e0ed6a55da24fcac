/// An entity tag: identifies a version of a resource (RFC 9110, section 8.8.3).
///
/// ```swift
/// let tag = response.entityTag
/// // In a target that replaces the resource. The server responds 412 if it has changed since.
/// var headers: [String: String]? { .ifMatch(tag) }
/// ```
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The tag as in a header field: `"abc"`, or `W/"abc"` for a weak tag. Versions with the same
    /// weak tag may differ in insignificant ways. `If-Match` never matches weak tags.
    public let description: String

    /// Parses the value of an `ETag` field. `nil` if it is not an entity tag.
    public init?(_ fieldValue: String) {
        let isWeak = fieldValue.hasPrefix("W/")
        let opaque = (isWeak ? fieldValue.dropFirst(2) : fieldValue[...]).utf8
        let quote = UInt8(ascii: "\"")
        guard opaque.count >= 2, opaque.first == quote, opaque.last == quote,
            // `etagc` of RFC 9110, section 8.8.3, includes bytes outside ASCII.
            opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F })
        else { return nil }
        description = fieldValue
    }

    /// Compares bytes: equal text may have several encodings (RFC 9110, section 8.8.3.2).
    public static func == (lhs: EntityTag, rhs: EntityTag) -> Bool {
        lhs.description.utf8.elementsEqual(rhs.description.utf8)
    }

    /// Hashes the bytes of the tag.
    public func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }
}

extension [String: String] {
    /// The field `If-Match`: the server responds 412 unless it has one of these versions (RFC 9110,
    /// section 13.1.1). Empty without a tag.
    public static func ifMatch(_ tags: EntityTag?...) -> [String: String] {
        field("If-Match", tags)
    }

    /// The field `If-None-Match`: the server responds to a GET with 304 if it has one of these
    /// versions (RFC 9110, section 13.1.2). Empty without a tag.
    public static func ifNoneMatch(_ tags: EntityTag?...) -> [String: String] {
        field("If-None-Match", tags)
    }

    private static func field(_ name: String, _ tags: [EntityTag?]) -> [String: String] {
        let values = tags.compactMap { $0?.description }
        return values.isEmpty ? [:] : [name: values.joined(separator: ", ")]
    }
}
