/// How the body of a request is compressed (RFC 9110, section 8.4.1).
public enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// The format of RFC 1952. What servers take, if they take any.
    case gzip
    /// The zlib format (RFC 1950), which HTTP calls by the name of the algorithm inside. Some servers expect that alone
    /// (RFC 1951) and cannot read it.
    case deflate

    /// zlib's number for the format.
    var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .deflate: 15
        }
    }
}

/// How much time compression may take to make a body smaller.
public struct CompressionLevel: RawRepresentable, Sendable, Hashable {
    /// 1 to 9, as zlib counts.
    public let rawValue: Int

    /// A level out of range is the nearest one.
    public init(rawValue: Int) {
        self.rawValue = min(max(rawValue, 1), 9)
    }

    /// The least time.
    public static let fastest = CompressionLevel(rawValue: 1)
    /// What most take.
    public static let `default` = CompressionLevel(rawValue: 6)
    /// The smallest body.
    public static let best = CompressionLevel(rawValue: 9)
}
