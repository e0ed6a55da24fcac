import Foundation

extension Redaction {
    /// Returns `url` as text with secrets masked: user name and password, parameters of path, query
    /// and fragment, and tokens in any component.
    public func redact(url: URL) -> String {
        redact(address: url.absoluteString)
    }

    /// Returns the text of a URL, valid or invalid, with secrets masked.
    public func redact(address text: String) -> String { redact(address: text, depth: 0) }

    /// - Parameter depth: Nesting depth of `text` in other texts.
    func redact(address text: String, depth: Int) -> String {
        let text = hidesUserInfo ? Self.maskingUserInfo(in: text) : text
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let (front, query) = Self.splitQuery(text[..<end])
        var shown = maskingPath(front, depth)
        if let query { shown += "?" + maskingPairs(in: query, depth: depth) }
        if end < text.endIndex {
            shown += "#" + maskingFragment(text[text.index(after: end)...], depth)
        }
        return shown
    }

    /// Masks path segments. They may have parameters, as in `/cart;jsessionid=…` (RFC 3986, section
    /// 3.3), or be tokens.
    private func maskingPath(_ path: Substring, _ depth: Int) -> String {
        let masked = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.splitPathParameters().enumerated().map { index, part in
                part.mark + (index == 0 ? String(part.text) : maskingPair(String(part.text), depth))
            }
            .joined()
        }
        .joined(separator: "/")
        guard hidesTellingNames else { return masked }
        return String(decoding: TextMasking.maskingTokens(in: Array(masked.utf8)), as: UTF8.self)
    }

    /// Masks a fragment. Authorization servers return tokens in fragments, as pairs or as the query
    /// of a path.
    private func maskingFragment(_ fragment: Substring, _ depth: Int) -> String {
        let (front, query) = Self.splitQuery(fragment)
        guard let query, !front.contains("=") else {
            return maskingPairs(in: fragment, depth: depth)
        }
        return front + "?" + maskingPairs(in: query, depth: depth)
    }

    /// Masks the values of secret names in `name=value&…`.
    func maskingPairs(in text: some StringProtocol, depth: Int) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { maskingPair(String($0), depth) }.joined(separator: "&")
    }

    /// Masks the value of a secret name in `name=value`. Some queries separate pairs by `;`. After
    /// a secret name, masks the rest, because the secret may contain `;`.
    private func maskingPair(_ pair: String, _ depth: Int) -> String {
        var shown = ""
        for (index, part) in pair.split(separator: ";", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { shown += ";" }
            guard let equals = part.firstIndex(of: "=") else {
                shown += maskingValue(String(part), depth)
                continue
            }
            let name = String(part[..<equals])
            guard !isSecretPath(name.removingPercentEncoding ?? name) else {
                return shown + "\(name)=\(Self.mask)"
            }
            shown += "\(name)=\(maskingValue(String(part[part.index(after: equals)...]), depth))"
        }
        return shown
    }

    /// Masks secrets inside a value that is not secret itself, such as a return URL or JSON.
    private func maskingValue(_ value: String, _ depth: Int) -> String {
        guard let text = value.removingPercentEncoding, !text.isEmpty else { return value }
        // The recursion is bounded, because each level uses stack space.
        guard depth < Self.maximumDepth else { return Self.mask }
        let masked = redact(text: text, depth: depth + 1)
        guard masked != text else { return value }
        return value == text ? masked : Self.percentEncoded(masked)
    }

    static func percentEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? mask
    }

    /// Maximum nesting depth of texts, such as a URL in a query or JSON in a JSON string.
    static let maximumDepth = 8

    /// Unreserved characters (RFC 3986, section 2.3) and the characters of the mask.
    static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~*")

    private static func splitQuery(_ text: Substring) -> (front: Substring, query: Substring?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        return (text[..<mark], text[text.index(after: mark)...])
    }

    private static func maskingUserInfo(in text: String) -> String {
        // A reference without a scheme may begin with an authority too.
        let slashes = text.hasPrefix("//") ? text.range(of: "//") : text.range(of: "://")
        let rest = text[(slashes?.upperBound ?? text.startIndex)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        // A password that contains `/`, `?` or `#` ends the authority early. The URL is then
        // invalid, and the text after the colon is not a port.
        let hasBrokenPassword =
            authority.lastIndex(of: ":").map { colon in
                let port = authority[authority.index(after: colon)...]
                return !port.allSatisfy { $0.isASCII && $0.isNumber } && !port.contains("]")
            } ?? false
        let at = authority.lastIndex(of: "@") ?? (hasBrokenPassword ? rest.lastIndex(of: "@") : nil)
        // Without slashes, only a password distinguishes user information from a path. Such a text
        // is the address of a proxy whose scheme was forgotten.
        guard let at, slashes != nil || rest[..<at].contains(":") else { return text }
        return text[..<rest.startIndex] + mask + text[at...]
    }
}

extension Substring {
    /// Splits a path segment into its name and parameters (RFC 3986, section 3.3), each with the
    /// `;` before it. The `;` may be percent-encoded, because some servers decode a path before
    /// they parse its parameters.
    func splitPathParameters() -> [(mark: Substring, text: Substring)] {
        var parts: [(Substring, Substring)] = []
        var (mark, start, index) = (prefix(0), startIndex, startIndex)
        while index < endIndex {
            guard let end = Self.endOfSemicolon(utf8[index...]) else {
                utf8.formIndex(after: &index)
                continue
            }
            parts.append((mark, self[start..<index]))
            mark = self[index..<end]
            (start, index) = (end, end)
        }
        return parts + [(mark, self[start...])]
    }

    /// Returns the end of a `;` at the beginning of `bytes`, literal or percent-encoded once or
    /// several times (`%253B`).
    private static func endOfSemicolon(_ bytes: Substring.UTF8View) -> Index? {
        var rest = bytes
        switch rest.popFirst() {
        case UInt8(ascii: ";"): return rest.startIndex
        case UInt8(ascii: "%"):
            while rest.starts(with: "25".utf8) { rest = rest.dropFirst(2) }
            guard rest.starts(with: "3B".utf8) || rest.starts(with: "3b".utf8) else { return nil }
            return rest.dropFirst(2).startIndex
        default: return nil
        }
    }
}
