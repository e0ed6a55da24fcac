import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// The error an exchange fails with when its session reported `error`.
    init(session error: any Error, url: URL?) {
        let original = error as NSError
        let message = original.localizedDescription
        var code = (error as? URLError)?.code ?? .unknown
        if Self.vagueCodes.contains(code) { code = Self.code(saidBy: message) ?? code }
        // Without the rest of its user info, which holds the URL with everything secret in it.
        let cause = NSError(
            domain: original.domain, code: original.code,
            userInfo: [NSLocalizedDescriptionKey: message])
        self.init(code, code == .badURL ? Self.aboutURL : message, url: url, cause: cause)
    }

    private static let aboutURL =
        "URLSession and the library below it do not agree on the host of the URL."

    /// What URLSession on Linux says of libcurl errors that it does not know.
    private static let vagueCodes: Set<URLError.Code> = [
        .unknown, .badServerResponse, .unsupportedURL,
    ]

    /// URLSession on Linux knows few of libcurl's errors, but repeats what libcurl said.
    static func code(saidBy message: String) -> URLError.Code? {
        signs.first { message.range(of: $0.sign, options: .caseInsensitive) != nil }?.code
    }

    /// The first that is part of the message counts.
    private static let signs: [(sign: String, code: URLError.Code)] = [
        // Names and connections.
        ("Could not resolve", .cannotFindHost), ("Couldn't resolve", .cannotFindHost),
        ("Couldn't connect", .cannotConnectToHost), ("Could not connect", .cannotConnectToHost),
        ("Failed to connect", .cannotConnectToHost), ("Connection refused", .cannotConnectToHost),
        ("timed out", .timedOut), ("Timeout was reached", .timedOut),
        // TLS.
        ("self-signed", .serverCertificateHasUnknownRoot),
        ("self signed", .serverCertificateHasUnknownRoot),
        ("unable to get local issuer", .serverCertificateHasUnknownRoot),
        ("unable to get issuer", .serverCertificateHasUnknownRoot),
        ("certificate has expired", .serverCertificateHasBadDate),
        ("certificate is not yet valid", .serverCertificateNotYetValid),
        ("certificate subject name", .serverCertificateUntrusted),
        ("certificate verify", .serverCertificateUntrusted),
        ("SSL peer certificate", .serverCertificateUntrusted),
        ("SSL: ", .serverCertificateUntrusted),
        ("SSL_connect", .secureConnectionFailed), ("SSL connect", .secureConnectionFailed),
        ("OpenSSL", .secureConnectionFailed), ("TLS", .secureConnectionFailed),
        // Coded bodies.
        ("content encoding", .cannotDecodeContentData),
        ("Unrecognized content", .cannotDecodeContentData),
        ("decompress", .cannotDecodeContentData), ("decod", .cannotDecodeContentData),
        ("incorrect header check", .cannotDecodeContentData),
        ("invalid stored block", .cannotDecodeContentData),
        // What is no HTTP, or a head that URLSession cannot take apart.
        ("HTTP/0.9", .badServerResponse), ("HTTP version", .badServerResponse),
        ("response code in HTTP", .badServerResponse), ("Weird server", .badServerResponse),
        ("Header without colon", .badServerResponse), ("Nul byte in header", .badServerResponse),
        ("Invalid Content-Length", .badServerResponse), ("Too large response", .badServerResponse),
        ("Failed writing header", .cannotParseResponse),
        ("chunk", .badServerResponse),
        // Connections that end. Last, as other messages mention sending and receiving as well.
        ("Empty reply", .networkConnectionLost), ("transfer closed", .networkConnectionLost),
        ("nothing (no headers", .networkConnectionLost),
        ("returned nothing", .networkConnectionLost),
        ("Transferred a partial", .networkConnectionLost),
        ("end of response with", .networkConnectionLost),
        ("Recv failure", .networkConnectionLost), ("receiving data", .networkConnectionLost),
        ("Send failure", .networkConnectionLost), ("sending data", .networkConnectionLost),
        ("reset by peer", .networkConnectionLost), ("Broken pipe", .networkConnectionLost),
        ("HTTP/2", .networkConnectionLost), ("Connection died", .networkConnectionLost),
    ]
}
