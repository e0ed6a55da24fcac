import Foundation

/// A failure after which a later attempt of the same request may succeed.
///
/// Retries, resumable transfers and event streams use it to decide whether to try again.
public enum TransientFailure: Sendable {
    /// No connection was made: the server has not received the request.
    case unreachable
    /// The connection was lost or the request timed out: the server may have processed the request.
    case interrupted
    /// The server responded with 429 or 503: it refused the request because of its load (RFC 6585,
    /// section 4; RFC 9110, section 15.6.4).
    case overloaded
    /// The server responded with 408, 500, 502 or 504 (RFC 9110, section 15).
    case retryableStatus

    /// Creates ``overloaded`` or ``retryableStatus``. Returns `nil` for all other status codes.
    public init?(statusCode: Int) {
        switch statusCode {
        case 429, 503: self = .overloaded
        case 408, 500, 502, 504: self = .retryableStatus
        default: return nil
        }
    }

    /// Classifies an error. Returns `nil` if a retry cannot help, such as for an invalid
    /// certificate, a cancelled request or a body over its limit.
    ///
    /// - Parameters:
    ///   - error: A `URLError`, or a ``MoyaError`` with a `URLError` or a response.
    ///   - hasAnswered: Whether the server has responded before. A failed TLS handshake is then
    ///     considered transient, because the network may have interrupted it.
    public init?(_ error: any Error, hasAnswered: Bool = false) {
        switch error {
        case let error as URLError: self.init(error, hasAnswered)
        case MoyaError.underlying(let error as URLError, _): self.init(error, hasAnswered)
        case MoyaError.underlying(_, let response?), MoyaError.statusCode(let response):
            self.init(statusCode: response.statusCode)
        default: return nil
        }
    }

    private init?(_ error: URLError, _ hasAnswered: Bool) {
        // It waited in a queue, and would wait again.
        let deadline = error.userInfo[NSUnderlyingErrorKey] as? DeadlineError
        guard deadline?.wasSent != false else { return nil }
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed, .callIsActive:
            self = .unreachable
        case .secureConnectionFailed where hasAnswered: self = .unreachable
        case .networkConnectionLost, .timedOut: self = .interrupted
        default: return nil
        }
    }
}
