import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which parts of a message are secret, and are masked wherever it is printed.
public struct Redaction: Sendable, Equatable {
    /// What stands in for a secret.
    public static let mask = "***"

    /// Header fields whose values are secret. Lower case.
    public var headerNames: Set<String>
    /// Parameters of queries and fragments, and fields of forms and JSON, whose values are secret.
    /// Lower case.
    public var queryNames: Set<String>
    /// Whether a user name and password in a URL are secret.
    public var hidesUserInfo: Bool
    /// Whether header fields are secret that no list knows, but whose names say so: `X-Shopify-Access-Token`,
    /// `Ocp-Apim-Subscription-Key`.
    public var hidesTellingNames: Bool

    /// Masks these and nothing else, whatever the case of the names. To mask more than is usual, add to the default:
    ///
    /// ```swift
    /// var redaction = Redaction.default
    /// redaction.queryNames.insert("session")
    /// ```
    public init(
        headerNames: Set<String>, queryNames: Set<String>, hidesUserInfo: Bool = true,
        hidesTellingNames: Bool = false
    ) {
        self.headerNames = Set(headerNames.map { $0.lowercased() })
        self.queryNames = Set(queryNames.map { $0.lowercased() })
        self.hidesUserInfo = hidesUserInfo
        self.hidesTellingNames = hidesTellingNames
    }

    /// Masks what usually is secret: credentials, cookies and keys in header fields, tokens, keys,
    /// passwords and signatures in queries and bodies, user names and passwords in URLs.
    public static let `default` = Redaction(
        headerNames: [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
            "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token",
            "x-amz-security-token",
            "x-goog-api-key", "x-vault-token", "private-token", "dpop",
        ],
        queryNames: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "key",
            "password", "passwd", "pwd", "secret", "client_secret", "client_assertion",
            "signature", "sig", "x-amz-signature", "x-amz-security-token", "code", "code_verifier",
            // As JSON likes to have them.
            "accesstoken", "refreshtoken", "idtoken", "clientsecret",
        ], hidesTellingNames: true)

    /// Masks nothing. What is printed then holds secrets.
    public static let none = Redaction(headerNames: [], queryNames: [], hidesUserInfo: false)

    /// Header fields whose values are URLs.
    private static let urlHeaderNames: Set = ["location", "content-location", "referer"]

    /// `value` of the header field `name`, or the mask. A value that is a URL has its secrets masked.
    public func redact(_ value: String, ofHeader name: String) -> String {
        if isSecretHeader(name) { return Self.mask }
        let name = name.lowercased()
        if name == "link" { return redact(links: value) }
        return Self.urlHeaderNames.contains(name) ? redact(text: value) : value
    }

    /// Whether the values of the header field `name` are masked.
    @_spi(MoyaInternals)
    public func isSecretHeader(_ name: String) -> Bool {
        let name = name.lowercased()
        return headerNames.contains(name) || hidesTellingNames && Self.isTelling(name)
    }

    /// Whether the name of a header field, in lower case, says that it holds a secret. Not every token is one: those that
    /// stand for a page have to be read from a record.
    private static func isTelling(_ name: String) -> Bool {
        ["secret", "password", "authorization"].contains(where: name.contains)
            || ["access", "auth", "id", "refresh", "security", "session"].contains {
                name.hasSuffix("\($0)-token")
            }
            || ["access", "api", "auth", "subscription"].contains { name.hasSuffix("\($0)-key") }
    }

    /// The field `Link` (RFC 8288): its URLs stand in angle brackets.
    private func redact(links value: String) -> String {
        var shown = ""
        var rest = value[...]
        while let start = rest.firstIndex(of: "<") {
            let target = rest[rest.index(after: start)...]
            let end = target.firstIndex(of: ">") ?? target.endIndex
            shown += rest[...start] + redact(text: String(target[..<end]))
            rest = target[end...]
        }
        return shown + rest
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
        let text = hidesUserInfo ? Self.maskingUserInfo(in: text) : text
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let (front, query) = Self.splitQuery(text[..<end])
        var shown = String(front)
        if let query { shown += "?" + maskingPairs(in: query) }
        if end < text.endIndex { shown += "#" + maskingFragment(text[text.index(after: end)...]) }
        return shown
    }

    /// Tokens are handed over in fragments as pairs, or as the query of a path in there.
    private func maskingFragment(_ fragment: Substring) -> String {
        let (front, query) = Self.splitQuery(fragment)
        guard let query, !front.contains("=") else { return maskingPairs(in: fragment) }
        return front + "?" + maskingPairs(in: query)
    }

    /// `name=value&…` with the values of secret names masked.
    func maskingPairs(in text: some StringProtocol) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            let name = String(pair[..<equals])
            return isSecretPath(name.removingPercentEncoding ?? name)
                ? "\(name)=\(Self.mask)" : String(pair)
        }
        .joined(separator: "&")
    }

    /// Whether a name as nested parameters have it, `user[password]`, is secret or in something that is.
    func isSecretPath(_ name: String) -> Bool {
        name.split { $0 == "[" || $0 == "]" }.contains { isSecret(String($0)) }
    }

    /// Whether a parameter or field of this name is secret.
    func isSecret(_ name: String) -> Bool { queryNames.contains(name.lowercased()) }

    private static func splitQuery(_ text: Substring) -> (front: Substring, query: Substring?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        return (text[..<mark], text[text.index(after: mark)...])
    }

    private static func maskingUserInfo(in text: String) -> String {
        // A reference without a scheme names a server too.
        let slashes = text.hasPrefix("//") ? text.range(of: "//") : text.range(of: "://")
        guard let slashes else { return text }
        let rest = text[slashes.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        // A password with one of these in it ends the authority. Then the text is no URL: what is there is no port.
        let hasBrokenPassword =
            authority.lastIndex(of: ":").map { colon in
                let port = authority[authority.index(after: colon)...]
                return !port.allSatisfy { $0.isASCII && $0.isNumber } && !port.contains("]")
            } ?? false
        let at = authority.lastIndex(of: "@") ?? (hasBrokenPassword ? rest.lastIndex(of: "@") : nil)
        guard let at else { return text }
        return text[..<slashes.upperBound] + mask + text[at...]
    }
}
