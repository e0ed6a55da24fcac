/// Content coding of a request body (RFC 9110, section 8.4.1).
public enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// gzip format (RFC 1952), the coding that servers support most widely.
    case gzip
    /// zlib format (RFC 1950), which HTTP calls `deflate`. Some servers expect a raw deflate stream
    /// (RFC 1951) instead and reject the zlib format.
    case deflate

    /// The `windowBits` argument that selects the format in zlib.
    var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .deflate: 15
        }
    }
}

/// Trade-off between compression time and size.
public struct CompressionLevel: RawRepresentable, Sendable, Hashable {
    /// zlib's level, from 1 to 9.
    public let rawValue: Int

    /// Creates a level. Values out of range are clamped to 1 or 9.
    public init(rawValue: Int) {
        self.rawValue = min(max(rawValue, 1), 9)
    }

    /// Level 1: least time.
    public static let fastest = CompressionLevel(rawValue: 1)
    /// Level 6: zlib's default.
    public static let `default` = CompressionLevel(rawValue: 6)
    /// Level 9: smallest body.
    public static let best = CompressionLevel(rawValue: 9)
}
