#if CURL
import CMoyaCurl
import Foundation

/// The libcurl this process runs with.
enum CurlLibrary {
    static let initialization = moya_global_init()
    private static var info: curl_version_info_data { moya_version_info().pointee }

    static let version = info.version_num
    static let name = "libcurl " + (info.version.map { String(cString: $0) } ?? "")
    /// The TLS library that it was built with, and its version: `OpenSSL/3.0.19`.
    static let tls = info.ssl_version.map { String(cString: $0) } ?? ""
    static let hasHTTP2 = has(CURL_VERSION_HTTP2)
    static let hasHTTP3 = has(CURL_VERSION_HTTP3)
    /// Whether it drops what came over HTTP/2 together with a reset of the stream, which is how a server asks a client to
    /// stop sending (RFC 9113, section 8.1).
    static let losesResetAnswers = (0x075800..<0x080100).contains(version)
    /// Whether it closes a kept connection on which bytes wait before a request is written.
    static let leavesConnectionsWithInput = version >= 0x080000
    /// Whether frames of HTTP/2 that break the protocol within a body are an error to it. Before, it takes what has come
    /// for a whole body.
    static let seesBrokenFrames = version >= 0x080100
    /// Whether it loses sight of a stream of HTTP/2 whose last bytes do not fit into the handle's buffer: it waits for more
    /// of the connection before it sees that the stream has ended.
    static let losesPausedStreams = (0x075801..<0x080100).contains(version)
    /// Whether a body in chunks that lacks its last line feed is whole to it.
    static let missesLastLineFeed = version < 0x080600
    /// Whether it remembers for half a minute that a name could not be resolved, also where memory or descriptors had run
    /// out.
    static let remembersFailedNames = version >= 0x081000
    /// The file and the folder of authorities' certificates that it was built for. `nil` where it does not tell, as before
    /// 7.84.
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
}
#endif
