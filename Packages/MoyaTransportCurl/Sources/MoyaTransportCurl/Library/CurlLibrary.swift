#if CURL
import CMoyaCurl
import MoyaCore

/// The libcurl that the process runs with: its version and features.
enum CurlLibrary {
    static let initialization: CURLcode = {
        // Otherwise OpenSSL frees its locks in `exit`, while the threads of transports still use
        // them, and the process crashes. A libcurl with another TLS library leaves a program's own
        // OpenSSL alone.
        if openSSLNames.contains(where: tls.hasPrefix) { moya_keep_openssl_at_exit() }
        return moya_global_init()
    }()

    private static var info: curl_version_info_data { moya_version_info().pointee }

    static let version = info.version_num
    static let name = "libcurl " + (info.version.map { String(cString: $0) } ?? "")
    /// The TLS library of this libcurl and its version, such as `OpenSSL/3.0.19`.
    static let tls = info.ssl_version.map { String(cString: $0) } ?? ""
    /// Beginnings of ``tls`` for OpenSSL, and for the variant of it that libcurl uses for HTTP/3.
    static let openSSLNames = ["OpenSSL/", "quictls/"]
    static let hasHTTP2 = has(CURL_VERSION_HTTP2)
    static let hasHTTP3 = has(CURL_VERSION_HTTP3)
    /// The certificate file and folder that libcurl was built with. `nil` if libcurl does not
    /// report them, as before 7.84.
    static let authorities: [String]? = {
        guard initialization == CURLE_OK, let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        var file: UnsafePointer<CChar>?
        var folder: UnsafePointer<CChar>?
        guard moya_easy_get_authorities(easy, &file, &folder) == CURLE_OK else { return nil }
        return [file, folder].compactMap { $0.map { String(cString: $0) } }
    }()

    static let hasHTTPSProxy = has(CURL_VERSION_HTTPS_PROXY)
    static let hasNegotiate = has(CURL_VERSION_SPNEGO)

    private static func has(_ feature: Int32) -> Bool { info.features & feature != 0 }

    /// A list of `lines`, which the caller frees with `curl_slist_free_all`. `nil` if empty.
    static func makeList(_ lines: [String]) throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw CurlError(CURLE_OUT_OF_MEMORY)
            }
            list = longer
        }
        return list
    }

    /// The texts of `list`.
    static func texts(of list: UnsafeMutablePointer<curl_slist>?) -> [String] {
        guard let list else { return [] }
        return sequence(first: list) { $0.pointee.next }
            .compactMap { $0.pointee.data.map { String(cString: $0) } }
    }
}

/// The error that libcurl reported, under `NSUnderlyingErrorKey` of the `URLError` that
/// ``CurlTransport`` throws.
public struct CurlError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// The `CURLcode`. For a `CURLMcode`, the closest `CURLcode`.
    public let code: Int
    /// libcurl's description of the error.
    public let message: String

    /// The code and the message.
    public var description: String { "libcurl error \(code): \(message)" }
    /// The same text as `description`.
    public var errorDescription: String? { description }

    init(_ code: CURLcode, detail: String = "") {
        self.code = Int(code.rawValue)
        message = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }

    init(_ code: CURLMcode) {
        let counterpart = code == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_FAILED_INIT
        self.init(counterpart, detail: String(cString: curl_multi_strerror(code)))
    }
}

extension URLError {
    /// The error for a failure of libcurl itself, rather than of an exchange.
    init(_ cause: CurlError, url: URL?) {
        self.init(.unknown, cause.message, url: url, cause: cause)
    }
}

extension CURLcode {
    /// `CURLE_TOO_LARGE`, which libcurl 8.6 and later return when input outgrows a buffer, such as
    /// endless header fields. Older headers do not declare it.
    static let tooLarge = CURLcode(rawValue: 100)
}

extension URLError.Code {
    /// The `URLError` code for a `CURLcode`.
    init(_ code: CURLcode, verification: Int) {
        self =
            switch code {
            case CURLE_UNSUPPORTED_PROTOCOL: .unsupportedURL
            case CURLE_URL_MALFORMAT: .badURL
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
            case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY,
                CURLE_QUIC_CONNECT_ERROR:
                .cannotConnectToHost
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
                CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND, CURLE_HTTP3:
                .networkConnectionLost
            case CURLE_WEIRD_SERVER_REPLY, .tooLarge: .badServerResponse
            case CURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
            case CURLE_WRITE_ERROR: .cannotWriteToFile
            case CURLE_READ_ERROR: .requestBodyStreamExhausted
            case CURLE_ABORTED_BY_CALLBACK: .cancelled
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
                // OpenSSL's reason to reject a certificate (`X509_V_ERR_…`).
                switch verification {
                case 9: .serverCertificateNotYetValid
                case 10: .serverCertificateHasBadDate
                case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
                default: .serverCertificateUntrusted
                }
            case CURLE_SSL_CERTPROBLEM: .clientCertificateRejected
            case CURLE_SSL_CLIENTCERT: .clientCertificateRequired
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
                CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
                .secureConnectionFailed
            default: .unknown
            }
    }
}
#endif
