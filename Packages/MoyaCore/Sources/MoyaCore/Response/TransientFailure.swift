import Foundation

/// A failure after which the same request may succeed a little later.
///
/// Retries, resumable transfers and event streams decide by it whether they try again.
public enum TransientFailure: Sendable {
    /// No connection was made: the server has received nothing of the request.
    case unreachable
    /// The connection was lost, or the request timed out: the server may have acted on the request.
    case interrupted
    /// The server answered 408, 429, 500, 502, 503 or 504 (RFC 9110, section 15; RFC 6585, section 4).
    case retryableStatus

    /// `nil` for a status that says nothing about a later request.
    public init?(statusCode: Int) {
        guard [408, 429, 500, 502, 503, 504].contains(statusCode) else { return nil }
        self = .retryableStatus
    }

    /// - Parameters:
    ///   - error: A `URLError`, or a ``MoyaError`` with one or with a response in it. `nil` for other errors, and for
    ///     errors that another attempt would end with again: a wrong certificate, a cancelled request, a body over its limit.
    ///   - hasAnswered: Whether the server has answered a request before. Then a failed TLS handshake is transient, too: the
    ///     network has cut it short.
    public init?(_ error: any Error, hasAnswered: Bool = false) {
        switch error {
        case let error as URLError: self.init(error.code, hasAnswered)
        case MoyaError.underlying(let error as URLError, _): self.init(error.code, hasAnswered)
        case MoyaError.underlying(_, let response?), MoyaError.statusCode(let response):
            self.init(statusCode: response.statusCode)
        default: return nil
        }
    }

    private init?(_ code: URLError.Code, _ hasAnswered: Bool) {
        switch code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed, .callIsActive:
            self = .unreachable
        case .secureConnectionFailed where hasAnswered: self = .unreachable
        case .networkConnectionLost, .timedOut: self = .interrupted
        default: return nil
        }
    }
}
