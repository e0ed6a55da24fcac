import CMoyaCurl
import Foundation
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ErrorMappingTests {
    static let codes: [(CURLcode, Int, URLError.Code)] = [
        (CURLE_UNSUPPORTED_PROTOCOL, 0, .unsupportedURL), (CURLE_URL_MALFORMAT, 0, .badURL),
        (CURLE_COULDNT_RESOLVE_HOST, 0, .cannotFindHost),
        (CURLE_COULDNT_RESOLVE_PROXY, 0, .cannotFindHost),
        (CURLE_COULDNT_CONNECT, 0, .cannotConnectToHost), (CURLE_OPERATION_TIMEDOUT, 0, .timedOut),
        (CURLE_QUIC_CONNECT_ERROR, 0, .cannotConnectToHost),
        (CURLE_HTTP3, 0, .networkConnectionLost),
        (CURLE_GOT_NOTHING, 0, .networkConnectionLost),
        (CURLE_PARTIAL_FILE, 0, .networkConnectionLost),
        (CURLE_SEND_ERROR, 0, .networkConnectionLost),
        (CURLE_RECV_ERROR, 0, .networkConnectionLost), (CURLE_HTTP2, 0, .networkConnectionLost),
        (CURLE_HTTP2_STREAM, 0, .networkConnectionLost),
        (CURLE_WEIRD_SERVER_REPLY, 0, .badServerResponse),
        (CURLcode(rawValue: 100), 0, .badServerResponse),
        (CURLE_BAD_CONTENT_ENCODING, 0, .cannotDecodeContentData),
        (CURLE_WRITE_ERROR, 0, .cannotWriteToFile),
        (CURLE_READ_ERROR, 0, .requestBodyStreamExhausted),
        (CURLE_ABORTED_BY_CALLBACK, 0, .cancelled),
        (CURLE_PEER_FAILED_VERIFICATION, 10, .serverCertificateHasBadDate),
        (CURLE_PEER_FAILED_VERIFICATION, 9, .serverCertificateNotYetValid),
        (CURLE_PEER_FAILED_VERIFICATION, 0, .serverCertificateUntrusted),
        (CURLE_SSL_CONNECT_ERROR, 0, .secureConnectionFailed),
        (CURLE_SSL_CERTPROBLEM, 0, .clientCertificateRejected), (CURLE_FAILED_INIT, 0, .unknown),
    ]

    @Test(arguments: codes)
    func `a libcurl error code maps to the matching URLError code`(
        code: CURLcode, verification: Int, expected: URLError.Code
    ) {
        #expect(URLError.Code(code, verification: verification) == expected)
    }

    /// In OpenSSL's `x509_vfy.h`: no issuer (2, 20), a self-signed certificate (18, 19), or an
    /// unverified leaf (21).
    @Test(arguments: [2, 18, 19, 20, 21])
    func `a certificate whose chain does not end at a root has an unknown root`(reason: Int) {
        let code = URLError.Code(CURLE_PEER_FAILED_VERIFICATION, verification: reason)
        #expect(code == .serverCertificateHasUnknownRoot)
    }

    @Test(arguments: [1, 3, 8, 11, 17, 22, 23])
    func `a certificate that OpenSSL rejects for another reason is untrusted`(reason: Int) {
        let code = URLError.Code(CURLE_PEER_FAILED_VERIFICATION, verification: reason)
        #expect(code == .serverCertificateUntrusted)
    }

    @Test(arguments: ["SSL: could not get X509-issuer name", "SSL: couldn't get X509-issuer name"])
    func `a certificate that could not be read is not reported as untrusted`(detail: String) {
        let error = URLError(
            CURLE_PEER_FAILED_VERIFICATION, detail: detail, verification: 0, url: nil)
        #expect(error.code == .secureConnectionFailed)
    }
}
