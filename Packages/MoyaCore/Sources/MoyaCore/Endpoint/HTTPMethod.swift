/// An HTTP request method (RFC 9110, section 9).
///
/// Any token is a valid method. Common methods are available as constants.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as sent. Methods are case-sensitive.
    public let rawValue: String

    /// Creates a method. Requests with a method that is not a token fail with a ``RequestError``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Opens a tunnel (RFC 9110, section 9.3.6).
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Removes a resource (RFC 9110, section 9.3.5).
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Retrieves a resource (RFC 9110, section 9.3.1).
    public static let get = HTTPMethod(rawValue: "GET")
    /// Retrieves the header fields of a GET response, without the body (RFC 9110, section 9.3.2).
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Retrieves the communication options of a resource (RFC 9110, section 9.3.7).
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Modifies a resource partially (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Submits the body for processing by a resource (RFC 9110, section 9.3.3).
    public static let post = HTTPMethod(rawValue: "POST")
    /// Creates or replaces a resource (RFC 9110, section 9.3.4).
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Queries a resource with a body; safe and idempotent (IETF draft "The HTTP QUERY Method").
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// Returns the received request, for diagnostics (RFC 9110, section 9.3.8).
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether a multipart body is meaningful for the method: POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool {
        switch self {
        case .post, .put, .patch, .connect: true
        default: false
        }
    }

    /// Whether the method is safe: read-only on the server (RFC 9110, section 9.2.1, and QUERY).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        default: false
        }
    }

    /// Whether the method is idempotent: a request may be repeated (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    public var description: String { rawValue }
}

/// An HTTP method, under Moya's name.
public typealias Method = HTTPMethod
