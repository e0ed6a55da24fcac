extension HeaderField {
    /// Whether fields of a request say that its body is compressed (RFC 9110, section 8.4): no mask finds a secret in it.
    @_spi(MoyaInternals)
    public static func areCoded(_ fields: [HeaderField]) -> Bool {
        fields.values(for: "Content-Encoding").contains { $0.lowercased() != "identity" }
    }
}
