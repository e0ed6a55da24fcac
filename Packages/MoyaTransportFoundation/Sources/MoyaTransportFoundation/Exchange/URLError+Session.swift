import Foundation
import MoyaCore

extension URLError {
    /// Creates the error of an exchange whose session reported `error`.
    init(session error: any Error, url: URL?) {
        let known = error as? URLError
        var code = known?.code ?? .unknown
        let message = (error as NSError).localizedDescription
        // The URL was validated before sending, so these codes are about the response.
        if [.unknown, .badServerResponse, .unsupportedURL].contains(code) {
            code = Self.code(saidBy: message) ?? code
        }
        // The session's error contains the URL with its query, which may hold secrets.
        let cause = NSError(
            domain: (error as NSError).domain, code: (error as NSError).code,
            userInfo: [NSLocalizedDescriptionKey: message])
        self.init(code, message, url: url, cause: cause)
    }

    /// Maps libcurl's message to a code. URLSession on Linux maps few of libcurl's errors, but
    /// includes the message.
    private static func code(saidBy message: String) -> URLError.Code? {
        let signs: [(String, URLError.Code)] = [
            ("Could not resolve host", .cannotFindHost),
            ("Couldn't connect", .cannotConnectToHost), ("Failed to connect", .cannotConnectToHost),
            ("Connection refused", .cannotConnectToHost),
            ("timed out", .timedOut), ("Timeout", .timedOut),
            ("Empty reply", .networkConnectionLost), ("transfer closed", .networkConnectionLost),
            ("Recv failure", .networkConnectionLost), ("Send failure", .networkConnectionLost),
            ("reset by peer", .networkConnectionLost),
            ("Connection died", .networkConnectionLost),
            ("HTTP/2 stream", .networkConnectionLost), ("HTTP2 framing", .networkConnectionLost),
            ("unknown root", .serverCertificateHasUnknownRoot),
            ("self-signed", .serverCertificateHasUnknownRoot),
            ("unable to get local issuer", .serverCertificateHasUnknownRoot),
            ("certificate has expired", .serverCertificateHasBadDate),
            ("certificate is not yet valid", .serverCertificateNotYetValid),
            ("certificate problem", .serverCertificateUntrusted),
            ("certificate subject name", .serverCertificateUntrusted),
            ("SSL_connect", .secureConnectionFailed), ("TLS connect", .secureConnectionFailed),
            // After the handshake, these are mostly connections closed without a TLS close_notify
            // alert.
            ("unexpected eof", .networkConnectionLost), ("SSL_read", .networkConnectionLost),
            ("SSL_write", .networkConnectionLost),
            ("SSL", .secureConnectionFailed),
            ("content encoding", .cannotDecodeContentData),
            ("content unencoding", .cannotDecodeContentData),
            ("decode", .cannotDecodeContentData),
            // A continuation line without a preceding field, and a line without an end.
            ("bad argument", .badServerResponse), ("Out of memory", .badServerResponse),
            ("HTTP/0.9", .badServerResponse), ("Weird server reply", .badServerResponse),
            ("Unsupported", .badServerResponse), ("writing header", .badServerResponse),
            ("without colon", .badServerResponse), ("Nul byte", .badServerResponse),
            ("Content-Length", .badServerResponse),
            // A proxy that refuses a tunnel or a connection. Last, because a host may be named so.
            ("CONNECT tunnel failed", .cannotConnectToHost),
            ("Proxy CONNECT aborted", .networkConnectionLost),
            ("connection to proxy closed", .cannotConnectToHost),
            ("SOCKS", .cannotConnectToHost), ("proxy auth", .cannotConnectToHost),
            ("No authentication method was acceptable", .cannotConnectToHost),
        ]
        return signs.first { message.range(of: $0.0, options: .caseInsensitive) != nil }?.1
    }
}
