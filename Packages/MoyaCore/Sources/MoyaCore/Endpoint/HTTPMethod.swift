/// An HTTP request method (RFC 9110, section 9).
///
/// Any token is a method; the well-known ones have names.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent. Methods are case-sensitive.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let connect = HTTPMethod(rawValue: "CONNECT")
    public static let delete = HTTPMethod(rawValue: "DELETE")
    public static let get = HTTPMethod(rawValue: "GET")
    public static let head = HTTPMethod(rawValue: "HEAD")
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    public static let patch = HTTPMethod(rawValue: "PATCH")
    public static let post = HTTPMethod(rawValue: "POST")
    public static let put = HTTPMethod(rawValue: "PUT")
    public static let query = HTTPMethod(rawValue: "QUERY")
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether a multipart body makes sense for the method: POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool {
        switch self {
        case .post, .put, .patch, .connect: true
        default: false
        }
    }

    /// Whether a request with the method asks for no change on the server (RFC 9110, section 9.2.1, and QUERY).
    @_spi(MoyaInternals)
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        default: false
        }
    }

    /// Whether a request with the method may be carried out twice (RFC 9110, section 9.2.2).
    @_spi(MoyaInternals)
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    public var description: String { rawValue }
}

/// An HTTP method, by the name Moya gives it.
public typealias Method = HTTPMethod
