#if CURL
import MoyaCore

/// The properties of a request that determine a handle's options. The URL, the header fields and
/// the body's length are not among them, because they are set for each request.
///
/// A handle keeps its options for the next request only if both profiles are equal.
struct HandleProfile: Equatable {
    enum Body {
        case none, empty, bytes
        /// Long enough to benefit from a larger buffer.
        case manyBytes
        /// Of unknown length.
        case chunks
    }

    let method: String
    var isIdempotent: Bool { HTTPMethod(rawValue: method).isIdempotent }
    let isSecure: Bool
    let body: Body
    var isForFile = false
    /// Whether the request has trailer fields.
    var hasTrailers = false
    /// Whether the request has more bytes of header fields than ``LongHead/bytes``.
    var hasLongHead = false
    var hasUserAgent = false
    var hasAuthorization = false
    /// Whether the request has its own `Host` field, while cookies are stored.
    var hasHost = false
    /// Whether the request opts out of the stored cookies.
    var refusesCookies = false
    var sharesCookies: Bool { !hasHost && !refusesCookies }
    /// Whether the request has its own `Cookie` field, while cookies are stored.
    var hasCookie = false
    /// Whether the request waits for `100 Continue` before it sends its body.
    var expectsContinue = false
    /// Whether libcurl may answer a Negotiate challenge. Such requests do not reuse options,
    /// because libcurl keeps state of their challenges.
    var negotiates = false
    var proxyScheme = ProxyScheme.basic

    var trust = Trust()

    /// The checks of the host's certificate.
    struct Trust: Equatable {
        /// The host's pinned keys, in the form of `CURLOPT_PINNEDPUBLICKEY`.
        var pins: String?
        /// Whether the certificate is verified.
        var isVerified = true
        /// The checks that an evaluator requires.
        var validation: TrustValidation?

        /// Whether a certificate has to be for the host.
        var checksHost: Bool { isVerified && validation?.validatesHost != false }
    }
}
#endif
