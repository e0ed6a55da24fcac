import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which parts of a request are secret, and are masked wherever a request is printed.
public struct Redaction: Sendable, Equatable {
    /// What stands in for a secret.
    public static let mask = "***"

    /// Header fields whose values are secret. Lower case.
    public var headerNames: Set<String>
    /// Query parameters whose values are secret. Lower case.
    public var queryNames: Set<String>
    /// Whether a user name and password in a URL are secret.
    public var hidesUserInfo: Bool

    public init(headerNames: Set<String>, queryNames: Set<String>, hidesUserInfo: Bool = true) {
        self.headerNames = Set(headerNames.map { $0.lowercased() })
        self.queryNames = Set(queryNames.map { $0.lowercased() })
        self.hidesUserInfo = hidesUserInfo
    }

    /// Masks what usually is secret: credentials, cookies and keys in header fields, tokens, keys,
    /// passwords and signatures in queries, user names and passwords in URLs.
    public static let `default` = Redaction(
        headerNames: [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
            "x-auth-token", "x-access-token", "x-csrf-token", "x-amz-security-token", "dpop",
        ],
        queryNames: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "key",
            "password",
            "secret", "client_secret", "signature", "sig", "x-amz-signature", "code",
        ])

    /// Masks nothing. What is printed then holds secrets.
    public static let none = Redaction(headerNames: [], queryNames: [], hidesUserInfo: false)

    /// `value` of the header field `name`, or the mask.
    public func redact(_ value: String, ofHeader name: String) -> String {
        headerNames.contains(name.lowercased()) ? Self.mask : value
    }

    /// `headers` with the secrets masked.
    public func redact(headers: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: headers.map { ($0, redact($1, ofHeader: $0)) })
    }

    /// `url` as text, with the secrets masked.
    public func redact(url: URL) -> String {
        redact(text: url.absoluteString)
    }

    /// The text of a URL, valid or not, with the secrets masked.
    func redact(text: String) -> String {
        let (front, query, rest) = Self.split(text)
        let shown = hidesUserInfo ? Self.maskingUserInfo(in: front) : front
        guard let query else { return shown + rest }
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let name = pair.prefix { $0 != "=" }
            let plain = (name.removingPercentEncoding ?? String(name)).lowercased()
            return queryNames.contains(plain) && pair.contains("=")
                ? "\(name)=\(Self.mask)" : String(pair)
        }
        return shown + "?" + pairs.joined(separator: "&") + rest
    }

    /// What stands before the question mark, the query, and the fragment with its mark.
    private static func split(_ text: String) -> (front: String, query: String?, rest: String) {
        let fragment = text.firstIndex(of: "#") ?? text.endIndex
        let rest = String(text[fragment...])
        guard let mark = text[..<fragment].firstIndex(of: "?") else {
            return (String(text[..<fragment]), nil, rest)
        }
        return (String(text[..<mark]), String(text[text.index(after: mark)..<fragment]), rest)
    }

    private static func maskingUserInfo(in front: String) -> String {
        guard let scheme = front.range(of: "://") else { return front }
        let authority = front[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return front }
        return front[..<scheme.upperBound] + mask + front[at...]
    }
}
