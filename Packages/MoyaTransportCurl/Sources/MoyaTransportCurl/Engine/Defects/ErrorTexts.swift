#if CURL
// Versions: all.
// Test: ErrorMappingTests, BodyFramingTests, FramingFaultTests, ProxyTests.
// Without them: nothing.

import CMoyaCurl
import Foundation

/// Failures that libcurl tells apart by its message alone.
enum ErrorText {
    /// A length that libcurl refuses itself, before the reader sees its line.
    case invalidLength
    /// libcurl limits a trailer field to 4 KiB, and reports a longer one as a lack of memory.
    case longTrailer
    /// libcurl cannot parse the proxy's URL. Its codes for this vary.
    case unsupportedProxy
    /// libcurl has verified the certificate and fails to read its issuer: the name is longer than 2
    /// KiB, or there is no memory. The certificate itself was not rejected.
    case unreadableIssuer

    init?(_ code: CURLcode, _ message: String) {
        switch code {
        case CURLE_WEIRD_SERVER_REPLY:
            guard message.hasPrefix("Invalid Content-Length") else { return nil }
            self = .invalidLength
        case CURLE_RECV_ERROR, .tooLarge:
            guard message.hasPrefix("Out of memory in chunked-encoding") else { return nil }
            self = .longTrailer
        case CURLE_PEER_FAILED_VERIFICATION:
            guard message.contains("get X509-issuer name") else { return nil }
            self = .unreadableIssuer
        default:
            guard message.hasPrefix("Unsupported proxy") else { return nil }
            self = .unsupportedProxy
        }
    }

    /// A message in place of libcurl's, which is misleading or may contain a proxy's password.
    var message: String? {
        switch self {
        case .invalidLength: BodyFraming.Fault.length.rawValue
        case .longTrailer:
            "A trailer field of the response is too long, or the memory is used up."
        case .unsupportedProxy:
            "libcurl cannot parse the proxy URL. If it is the environment's, look at http_proxy, "
                + "https_proxy and all_proxy."
        case .unreadableIssuer: nil
        }
    }

    var errorCode: URLError.Code {
        switch self {
        case .invalidLength, .longTrailer: .badServerResponse
        case .unsupportedProxy: .cannotConnectToHost
        case .unreadableIssuer: .secureConnectionFailed
        }
    }
}

extension URLError {
    /// The error for a `CURLcode`.
    ///
    /// - Parameter verification: The result of OpenSSL's certificate verification
    ///   (`CURLINFO_SSL_VERIFYRESULT`).
    init(_ code: CURLcode, detail: String = "", verification: Int = 0, url: URL?) {
        let text = ErrorText(code, detail)
        let cause = CurlError(code, detail: text?.message ?? detail)
        let errorCode = text?.errorCode ?? Code(code, verification: verification)
        self.init(errorCode, cause.message, url: url, cause: cause)
    }
}
#endif
