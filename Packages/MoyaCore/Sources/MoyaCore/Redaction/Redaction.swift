import Foundation

/// The parts of a message that are secret and are masked in logs, descriptions and recordings.
public struct Redaction: Sendable, Equatable {
    /// Replaces a secret.
    public static let mask = "***"

    /// Names of header fields with secret values, in lower case.
    public var headerNames: Set<String>
    /// Names of query and fragment parameters, and of fields in forms, JSON and XML, with secret
    /// values. In lower case.
    public var queryNames: Set<String>
    /// Names that are never masked by ``hidesSensitiveNames``, in lower case.
    public var visibleNames: Set<String> = []
    /// Whether user names and passwords in URLs are masked.
    public var hidesUserInfo: Bool
    /// Whether unlisted names that indicate a secret are masked: `X-Shopify-Access-Token`,
    /// `clientSecret`, `Ocp-Apim-Subscription-Key`. Also masks values of recognizable formats: JSON
    /// Web Tokens, `Bearer …`, private keys.
    public var hidesSensitiveNames: Bool

    /// Creates a redaction that masks only these names, compared without regard to case. To extend
    /// or restrict the usual masking, change the default:
    ///
    /// ```swift
    /// var redaction = Redaction.default
    /// redaction.queryNames.insert("tenant")
    /// redaction.visibleNames.insert("code")
    /// ```
    public init(
        headerNames: Set<String>, queryNames: Set<String>, hidesUserInfo: Bool = true,
        hidesSensitiveNames: Bool = false
    ) {
        self.headerNames = Set(headerNames.map { $0.lowercased() })
        self.queryNames = Set(queryNames.map { $0.lowercased() })
        self.hidesUserInfo = hidesUserInfo
        self.hidesSensitiveNames = hidesSensitiveNames
    }

    /// Masks credentials, cookies and keys in header fields; tokens, keys, passwords and signatures
    /// in queries and bodies; user names and passwords in URLs. Recognizes names by their words.
    public static let `default` = Redaction(
        headerNames: [], queryNames: [], hidesSensitiveNames: true)

    /// Masks nothing: printed messages contain secrets.
    public static let none = Redaction(headerNames: [], queryNames: [], hidesUserInfo: false)

    /// Returns whether the values of the header field `name` are masked.
    public func isSecretHeader(_ name: String) -> Bool {
        isSecret(name, listed: headerNames, in: .field)
    }

    /// Returns whether a parameter of a query, a fragment or a form is masked.
    public func isSecretParameter(_ name: String) -> Bool { isSecret(name, in: .parameter) }

    /// Returns whether a member of a JSON object, or a part of a multipart form, is masked.
    public func isSecretMember(_ name: String) -> Bool { isSecret(name, in: .member) }

    /// Returns whether a parameter, member or element with this name is secret.
    func isSecret(_ name: String, in place: SensitiveNames.Place) -> Bool {
        isSecret(name, listed: queryNames, in: place)
    }

    /// Returns whether a name such as `user[password]`, or a segment of it, is secret.
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
        return hidesSensitiveNames && !visibleNames.contains(lower)
            && SensitiveNames.contains(name, in: place)
    }

    /// Decodes a percent-encoded name such as `t%6Fken`, also if it is encoded several times.
    private static func percentDecoded(_ name: String) -> String {
        var name = name
        for _ in 0..<Mask.maximumDepth {
            guard name.utf8.contains(UInt8(ascii: "%")), let plain = name.removingPercentEncoding,
                plain != name
            else { break }
            name = plain
        }
        return name
    }

    /// Whether texts and bodies can contain secrets to mask.
    var masksText: Bool { hidesSensitiveNames || hidesUserInfo || !queryNames.isEmpty }
}

extension Redaction {
    /// Returns `headers` with secrets masked.
    public func redact(headers: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: headers.map { ($0, redact($1, ofHeader: $0)) })
    }

    /// Returns the value of the header field `name` with secrets masked: all of it if the name is
    /// secret, otherwise the secrets in URLs, parameters and JSON.
    public func redact(_ value: String, ofHeader name: String) -> String {
        let lower = name.lowercased()
        if hidesSensitiveNames, ChallengeMasking.fieldNames.contains(lower),
            !headerNames.contains(lower)
        {
            return ChallengeMasking.masked(value)
        }
        if isSecretHeader(name) { return Self.isFlag(value) ? value : Self.mask }
        return Self.urlHeaderNames.contains(lower)
            ? redact(url: value) : redact(text: value)
    }

    /// Header fields whose values are URLs, in lower case.
    private static let urlHeaderNames: Set = [
        "content-location", "destination", "location", "referer",
    ]

    /// `Access-Control-Allow-Credentials: true` contains no credential.
    private static func isFlag(_ value: String) -> Bool { value == "true" || value == "false" }
}
