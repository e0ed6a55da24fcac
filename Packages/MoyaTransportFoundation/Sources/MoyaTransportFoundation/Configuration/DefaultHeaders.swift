import Foundation
import MoyaCore
import MoyaInternals

/// Default header fields in Alamofire's format.
enum DefaultHeaders {
    /// Fields for requests without fields of these names.
    static let all: [String: String] = {
        var headers = ["User-Agent": userAgent(Bundle.main.infoDictionary)]
        let languages = Locale.preferredLanguages.prefix(6)
        if !languages.isEmpty { headers["Accept-Language"] = preferring(languages) }
        #if !canImport(FoundationNetworking)
            headers["Accept-Encoding"] = preferring(["br", "gzip", "deflate"])
        #endif
        return headers
    }()

    /// Returns `values` with descending weights (RFC 9110, section 12.4.2): `de;q=1.0, en;q=0.9`.
    static func preferring(_ values: some Collection<String>) -> String {
        values.prefix(10).enumerated()
            .map { "\($1);q=\($0 == 0 ? "1.0" : "0.\(10 - $0)")" }
            .joined(separator: ", ")
    }

    /// Returns a User-Agent such as `Shop/1.2 (test.shop; build:7; iOS 18.0.0) Moya`, without
    /// unknown parts.
    static func userAgent(_ info: [String: Any]?) -> String {
        func value(_ key: String) -> String? { (info?[key] as? String).flatMap(token) }
        let name = value("CFBundleExecutable") ?? token(ProcessInfo.processInfo.processName)
        let version = value("CFBundleShortVersionString").map { "/\($0)" } ?? ""
        let details = [
            value("CFBundleIdentifier"), value("CFBundleVersion").map { "build:\($0)" }, system,
        ]
        return
            "\(name ?? "Unknown")\(version) (\(details.compactMap { $0 }.joined(separator: "; "))) Moya"
    }

    /// Replaces characters that are invalid in a token with hyphens (RFC 9110, section 5.6.2).
    static func token(_ text: String) -> String? {
        let characters = text.unicodeScalars.map { scalar in
            scalar.isASCII && HTTPToken.isTokenCharacter(UInt8(scalar.value))
                ? Character(scalar) : "-"
        }
        return characters.isEmpty ? nil : String(characters)
    }
}
