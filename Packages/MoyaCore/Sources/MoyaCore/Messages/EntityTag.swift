/// The version of a resource (RFC 9110, section 8.8.3).
///
/// ```swift
/// let tag = response.entityTag
/// // In a target that replaces what it has read: 412 where it has changed since.
/// var headers: [String: String]? { .ifMatch(tag) }
/// ```
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The tag as it stands in a field: `"abc"`, or `W/"abc"` for a weak one.
    public let description: String

    /// Whether versions with the tag may differ in ways that do not matter. `If-Match` matches no weak tag.
    public var isWeak: Bool { description.hasPrefix("W/") }

    /// The tag in the value of an `ETag` field. `nil` where that holds none.
    public init?(_ fieldValue: String) {
        let isWeak = fieldValue.hasPrefix("W/")
        let opaque = (isWeak ? fieldValue.dropFirst(2) : fieldValue[...]).utf8
        let quote = UInt8(ascii: "\"")
        guard opaque.count >= 2, opaque.first == quote, opaque.last == quote,
            // RFC 9110, section 8.8.3: `etagc`. What is not ASCII is allowed.
            opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F })
        else { return nil }
        description = fieldValue
    }
}

extension [String: String] {
    /// The field `If-Match`: the request is for one of these versions, otherwise the server answers 412 (RFC 9110,
    /// section 13.1.1). Empty without a tag.
    public static func ifMatch(_ tags: EntityTag?...) -> [String: String] {
        field("If-Match", tags)
    }

    /// The field `If-None-Match`: for a GET, the server answers 304 where it has one of these versions (RFC 9110,
    /// section 13.1.2). Empty without a tag.
    public static func ifNoneMatch(_ tags: EntityTag?...) -> [String: String] {
        field("If-None-Match", tags)
    }

    private static func field(_ name: String, _ tags: [EntityTag?]) -> [String: String] {
        let values = tags.compactMap { $0?.description }
        return values.isEmpty ? [:] : [name: values.joined(separator: ", ")]
    }
}
