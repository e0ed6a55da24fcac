import Foundation

extension Redaction {
    /// `url` as text, with the secrets masked: its user name and password, parameters of its path, query and fragment,
    /// and tokens anywhere.
    public func redact(url: URL) -> String {
        redact(address: url.absoluteString)
    }

    /// The text of a URL, valid or not, with the secrets masked.
    public func redact(address text: String) -> String { redact(address: text, depth: 0) }

    /// - Parameter depth: How many texts this one is in.
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

    /// Segments may have parameters, `/cart;jsessionid=…` (RFC 3986, section 3.3), or be tokens.
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

    /// Tokens are handed over in fragments as pairs, or as the query of a path in there.
    private func maskingFragment(_ fragment: Substring, _ depth: Int) -> String {
        let (front, query) = Self.splitQuery(fragment)
        guard let query, !front.contains("=") else {
            return maskingPairs(in: fragment, depth: depth)
        }
        return front + "?" + maskingPairs(in: query, depth: depth)
    }

    /// `name=value&…` with the values of secret names masked.
    func maskingPairs(in text: some StringProtocol, depth: Int) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { maskingPair(String($0), depth) }.joined(separator: "&")
    }

    /// `name=value` with the value of a secret name masked. Some queries separate pairs by `;`. After a secret name everything
    /// is masked, because the secret may contain `;`.
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

    /// A value that is no secret may hold one: a URL to return to, JSON.
    private func maskingValue(_ value: String, _ depth: Int) -> String {
        guard let text = value.removingPercentEncoding, !text.isEmpty else { return value }
        // There is an end to it: each level costs stack.
        guard depth < Self.maximumDepth else { return Self.mask }
        let masked = redact(text: text, depth: depth + 1)
        guard masked != text else { return value }
        return value == text ? masked : Self.percentEncoded(masked)
    }

    static func percentEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? mask
    }

    /// How many texts may be in each other: a URL in a query, JSON in a string of JSON.
    static let maximumDepth = 8

    /// RFC 3986, section 2.3, and the mask.
    static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~*")

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

extension Substring {
    /// The name of a path segment and its parameters (RFC 3986, section 3.3), each with the `;` before it, which may be
    /// percent-encoded: some servers decode a path before they look for parameters.
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

    /// The end of a `;` that `bytes` begin with, as it is or percent-encoded, also more than once (`%253B`).
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
