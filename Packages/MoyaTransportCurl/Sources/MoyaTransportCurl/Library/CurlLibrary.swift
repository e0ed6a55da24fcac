#if CURL
import CMoyaCurl

/// The libcurl that the process runs with: version, features and known defects.
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
#endif
