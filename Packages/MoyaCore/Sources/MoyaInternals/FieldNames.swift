/// Names of header fields, which are compared without regard to case (RFC 9110, section 5.1).
public enum FieldNames {
    /// Returns the fields with unique names: of names that differ only in case, the last in
    /// lexicographic order is kept. `nil` if the names are unique already.
    ///
    /// Otherwise the fields that are sent would depend on the transport and on the dictionary's
    /// random order: a `URLRequest` has all of them on Linux, and one on Apple platforms.
    public static func unique(_ fields: [String: String]) -> [String: String]? {
        guard fields.count > 1 else { return nil }
        var names: [String: String] = [:]
        for name in fields.keys {
            let key = name.lowercased()
            names[key] = names[key].map { max($0, name) } ?? name
        }
        guard names.count < fields.count else { return nil }
        return fields.filter { names[$0.key.lowercased()] == $0.key }
    }

    /// Returns whether two names are equal, without regard to the case of letters (RFC 9110,
    /// section 5.1). Creates no string.
    @inlinable
    public static func areEqual(
        _ name: some Collection<UInt8>, _ other: some Collection<UInt8>
    ) -> Bool {
        name.count == other.count
            && zip(name, other).allSatisfy {
                $0 == $1 || $0 | 0x20 == $1 | 0x20 && (0x61...0x7A).contains($0 | 0x20)
            }
    }
}

extension [String: String] {
    /// Returns the value of the field `name`, compared without regard to case. Creates no string.
    public func value(ofField name: String) -> String? {
        first { $0.key.isEqualIgnoringCase(to: name) }?.value
    }
}

extension String {
    /// Whether this name of a header field is `other`, without regard to the case of letters (RFC
    /// 9110, section 5.1). Creates no string.
    public func isEqualIgnoringCase(to other: String) -> Bool {
        FieldNames.areEqual(utf8, other.utf8)
    }
}
