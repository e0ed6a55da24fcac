import Foundation

/// Which parts of a message are secret, and are masked wherever it is printed.
public struct Redaction: Sendable, Equatable {
    /// What stands in for a secret.
    public static let mask = "***"

    /// Header fields whose values are secret. Lower case.
    public var headerNames: Set<String>
    /// Parameters of queries and fragments, and fields of forms, JSON and XML, whose values are secret.
    /// Lower case.
    public var queryNames: Set<String>
    /// Names that stay visible although ``hidesTellingNames`` would have them masked. Lower case.
    public var visibleNames: Set<String> = []
    /// Whether a user name and password in a URL are secret.
    public var hidesUserInfo: Bool
    /// Whether values are secret that no list knows, but whose names say so: `X-Shopify-Access-Token`, `clientSecret`,
    /// `Ocp-Apim-Subscription-Key`. Values that say so themselves as well: JSON Web Tokens, `Bearer …`, private keys.
    public var hidesTellingNames: Bool

    /// Masks these and nothing else, whatever the case of the names. To mask more or less than is usual, change the
    /// default:
    ///
    /// ```swift
    /// var redaction = Redaction.default
    /// redaction.queryNames.insert("tenant")
    /// redaction.visibleNames.insert("code")
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

    /// Masks what usually is secret: credentials, cookies and keys in header fields; tokens, keys, passwords and
    /// signatures in queries and bodies; user names and passwords in URLs. Names are judged by their words.
    public static let `default` = Redaction(
        headerNames: [], queryNames: [], hidesTellingNames: true)

    /// Masks nothing. What is printed then holds secrets.
    public static let none = Redaction(headerNames: [], queryNames: [], hidesUserInfo: false)

    /// Whether the values of the header field `name` are masked.
    public func isSecretHeader(_ name: String) -> Bool {
        isSecret(name, listed: headerNames, in: .field)
    }

    /// Whether a parameter, member or element of this name is secret.
    @_spi(MoyaInternals)
    public func isSecret(_ name: String, in place: SensitiveNames.Place) -> Bool {
        isSecret(name, listed: queryNames, in: place)
    }

    /// Whether `user[password]` or any segment of it is secret.
    func isSecretPath(_ name: String, in place: SensitiveNames.Place = .parameter) -> Bool {
        isSecret(name, in: place)
            || name.split { $0 == "[" || $0 == "]" }.contains { isSecret(String($0), in: place) }
    }

    private func isSecret(
        _ name: String, listed names: Set<String>, in place: SensitiveNames.Place
    ) -> Bool {
        let name = place == .parameter ? Self.percentDecoded(name) : name
        let lower = name.lowercased()
        if names.contains(lower) { return true }
        return hidesTellingNames && !visibleNames.contains(lower)
            && SensitiveNames.contains(name, in: place)
    }

    /// The name that is meant by `t%6Fken`, however often it is encoded.
    private static func percentDecoded(_ name: String) -> String {
        var name = name
        for _ in 0..<maximumDepth {
            guard name.utf8.contains(UInt8(ascii: "%")), let plain = name.removingPercentEncoding,
                plain != name
            else { break }
            name = plain
        }
        return name
    }

    /// Whether there is anything to look for in texts and bodies.
    var masksText: Bool { hidesTellingNames || hidesUserInfo || !queryNames.isEmpty }
}

extension Redaction {
    /// `headers` with the secrets masked.
    public func redact(headers: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: headers.map { ($0, redact($1, ofHeader: $0)) })
    }

    /// `value` of the header field `name`, or the mask. In a value that is no secret, what is secret in it is masked: in
    /// URLs, parameters and JSON.
    public func redact(_ value: String, ofHeader name: String) -> String {
        let lower = name.lowercased()
        if hidesTellingNames, ChallengeMasking.fieldNames.contains(lower),
            !headerNames.contains(lower)
        {
            return ChallengeMasking.masked(value)
        }
        if isSecretHeader(name) { return Self.isFlag(value) ? value : Self.mask }
        return Self.urlHeaderNames.contains(lower)
            ? redact(address: value) : redact(text: value)
    }

    /// Header fields whose values are URLs.
    private static let urlHeaderNames: Set = [
        "content-location", "destination", "location", "referer",
    ]

    /// `Access-Control-Allow-Credentials: true` says nothing of a credential.
    private static func isFlag(_ value: String) -> Bool { value == "true" || value == "false" }
}
