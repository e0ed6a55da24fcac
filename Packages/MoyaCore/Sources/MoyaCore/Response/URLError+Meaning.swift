import Foundation

extension URLError {
    /// The meaning of the code. `nil` for an error that a transport has described, and for codes
    /// that transports do not use without a description.
    ///
    /// Foundation describes an error without a description, such as that of a stub or a cancelled
    /// task, as "The operation could not be completed."
    var meaning: String? {
        guard userInfo[NSLocalizedDescriptionKey] == nil else { return nil }
        return switch code {
        case .cancelled: "The request was cancelled."
        case .timedOut: "The request timed out."
        case .cannotFindHost, .dnsLookupFailed: "The server's name could not be resolved."
        case .cannotConnectToHost: "The server could not be reached."
        case .networkConnectionLost: "The connection was lost before the response was complete."
        case .notConnectedToInternet: "There is no network connection."
        case .secureConnectionFailed: "A TLS connection could not be established."
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            "The server's certificate is not valid."
        case .badServerResponse: "The response is not valid HTTP."
        case .badURL, .unsupportedURL: "The URL is not valid."
        case .httpTooManyRedirects: "There were too many redirects."
        case .dataLengthExceedsMaximum: "The response is larger than its limit."
        default: nil
        }
    }
}
