import Foundation

/// A request to send, from the driver.
struct Order: Decodable {
    enum Way: String, Decodable {
        /// HTTP/1.1 without TLS.
        case clear
        /// HTTP/2 without TLS, with prior knowledge (RFC 9113, section 3.3).
        case h2c
        /// HTTPS, with the version that the server chooses (ALPN).
        case tls
    }

    enum Destination: String, Decodable {
        case memory, file, stream
    }

    let url: URL
    let method: String
    let way: Way
    let destination: Destination
    /// Whether to answer authentication challenges of the server.
    let hasCredential: Bool
    /// Whether this is the first request of a case.
    let isFirst: Bool
}

/// Result of a request.
struct Result: Encodable {
    var status: Int?
    /// Number of header fields.
    var fields: Int?
    /// Number of trailer fields.
    var trailers: Int?
    var body: Data?
    var domain: String?
    var code: Int?
    /// `localizedDescription` of the error.
    var message: String?
    /// Description of the underlying error.
    var cause: String?
    /// Time from the request to its result, in seconds.
    var seconds: Double = 0
}
