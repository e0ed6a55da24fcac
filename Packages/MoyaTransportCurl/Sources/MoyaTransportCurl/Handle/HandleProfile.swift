#if CURL
import CMoyaCurl
import MoyaCore
import MoyaInternals

/// Everything that decides about a handle's options, but for those that are set for each request: URL,
/// header fields and the length of the body.
///
/// A handle goes from one request to the next with its options only if both have equal profiles.
struct HandleProfile: Equatable {
    enum Body {
        case none, empty, bytes
        /// Worth larger pieces.
        case manyBytes
        /// As many as come.
        case chunks
    }

    let method: String
    var isIdempotent: Bool { HTTPMethod(rawValue: method).isIdempotent }
    let isSecure: Bool
    let body: Body
    var isForFile: Bool
    /// Whether fields come after the request's body.
    var hasTrailers = false
    var hasUserAgent: Bool
    var hasAuthorization = false
    /// Whether there is a Host field of the request's own, where cookies are kept.
    var hasHost = false
    /// Whether the request does without the cookies that are kept.
    var refusesCookies = false
    var sharesCookies: Bool { !hasHost && !refusesCookies }
    /// Whether the request has cookies of its own besides those that are kept.
    var hasCookie = false
    /// Requests with credentials never share options: libcurl keeps what it learnt from a challenge.
    var hasCredential: Bool

    /// The public keys the host may have, as libcurl takes them.
    var pins: String?
    /// Whether the host's certificate is looked at.
    var isVerified = true
    /// What is checked for an evaluator.
    var validation: TrustValidation?

    mutating func judge(_ host: String, by tls: CurlTransport.Configuration.TLS) {
        pins = tls.pins(for: host)
        isVerified = tls.verifies(host)
    }
}
#endif
