/// An HTTP request method (RFC 9110, section 9).
///
/// Any token is a method; the well-known ones have names.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent. Methods are case-sensitive.
    public let rawValue: String

    /// A method of any name. One that is no token fails its requests with a ``RequestError``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Opens a tunnel (RFC 9110, section 9.3.6).
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Removes a resource (RFC 9110, section 9.3.5).
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks for a resource (RFC 9110, section 9.3.1).
    public static let get = HTTPMethod(rawValue: "GET")
    /// Asks for the head of what GET would answer (RFC 9110, section 9.3.2).
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Asks what there is to choose from (RFC 9110, section 9.3.7).
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Changes a part of a resource (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Has a resource process the body (RFC 9110, section 9.3.3).
    public static let post = HTTPMethod(rawValue: "POST")
    /// Creates or replaces a resource (RFC 9110, section 9.3.4).
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Asks with a body, and changes nothing (the IETF's draft "The HTTP QUERY Method").
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// Has the request sent back (RFC 9110, section 9.3.8).
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether a multipart body makes sense for the method: POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool {
        switch self {
        case .post, .put, .patch, .connect: true
        default: false
        }
    }

    /// Whether a request with the method asks for no change on the server (RFC 9110, section 9.2.1, and QUERY).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        default: false
        }
    }

    /// Whether a request with the method may be carried out twice (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    public var description: String { rawValue }
}

/// An HTTP method, by the name Moya gives it.
public typealias Method = HTTPMethod
