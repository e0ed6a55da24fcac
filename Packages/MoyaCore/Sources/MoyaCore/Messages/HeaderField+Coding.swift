extension HeaderField {
    /// Returns whether header fields declare a compressed body (RFC 9110, section 8.4),
    /// in which secrets cannot be masked.
    @_spi(MoyaInternals)
    public static func areCoded(_ fields: [HeaderField]) -> Bool {
        fields.values(for: "Content-Encoding").contains { $0.lowercased() != "identity" }
    }
}
