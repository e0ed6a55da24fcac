import CMoyaCurl
import MoyaTestSupport

@testable import MoyaTransportCurl

extension Requirement {
    static let brotli = libcurl("brotli", hasFeature(CURL_VERSION_BROTLI))
    static let zstd = libcurl("zstd", hasFeature(CURL_VERSION_ZSTD))
    static let http3 = libcurl("HTTP/3", CurlLibrary.hasHTTP3)
    static let gssapi = libcurl("GSS-API", CurlLibrary.hasNegotiate)
    static let libcurlWithOpenSSL = libcurl("OpenSSL", OpenSSL.installed != nil)
    static let zstandardLibrary = Requirement(
        "the shared library of zstd", remedy: "Install libzstd1.",
        isMet: ZstandardDecoder.installed != nil)
    static let caddy = Requirement(
        "caddy", remedy: "Run scripts/bootstrap --tests, with a libcurl that has HTTP/3.",
        isMet: Caddy.path != nil)

    static let surplusSeen = Requirement(
        "a libcurl before 8.0 or from 8.6 on", remedy: "Build with such a libcurl.",
        isMet: !(0x080000..<0x080600).contains(CurlLibrary.version))
    static let chunksSeen = Requirement(
        "a libcurl before 8.6", remedy: "Build with such a libcurl.",
        isMet: LastLineFeed.isMissed)

    static let forgottenTransfers = Requirement(
        "a libcurl before 8.14 or from 8.16 on", remedy: "Build with such a libcurl.",
        isMet: LostWakes.arePossible)

    private static func libcurl(
        _ feature: String, _ hasIt: @autoclosure @escaping @Sendable () -> Bool
    ) -> Requirement {
        Requirement(
            "a libcurl with \(feature)", remedy: "Build with a libcurl that is built with it.",
            isMet: hasIt())
    }

    static func hasFeature(_ feature: Int32) -> Bool {
        moya_version_info().pointee.features & feature != 0
    }
}
