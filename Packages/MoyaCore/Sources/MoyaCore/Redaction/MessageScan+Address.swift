// URLs and the forms that are like their queries.
extension MessageScan {
    /// Scans a URL, valid or invalid: user name and password, parameters of path, query and
    /// fragment, and tokens in its path.
    mutating func address(_ range: Range<Int>, _ depth: Int) {
        let userInfo = redaction.hidesUserInfo ? userInfo(range) : nil
        if let userInfo { mask(userInfo) }
        // A password may contain marks that would end the path.
        func first(_ mark: UInt8, before end: Int) -> Int? {
            self.first(range.lowerBound..<end) { $0 == mark }
                .flatMap { index in
                    guard let userInfo, userInfo.contains(index) else { return index }
                    return self.first(userInfo.upperBound..<max(end, userInfo.upperBound)) {
                        $0 == mark
                    }
                }
        }
        let hash = first(UInt8(ascii: "#"), before: range.upperBound) ?? range.upperBound
        let question = first(UInt8(ascii: "?"), before: hash) ?? hash
        path(range.lowerBound..<question, depth)
        if redaction.hidesUserInfo { moreUserInfo(in: range.lowerBound..<question) }
        if question < hash { pairs((question + 1)..<hash, depth) }
        if hash < range.upperBound { fragment((hash + 1)..<range.upperBound, depth) }
    }

    /// Returns the range of user name and password.
    private func userInfo(_ range: Range<Int>) -> Range<Int>? {
        let isRelative = has("//", range.lowerBound, range.upperBound)
        // A reference without a scheme may begin with an authority too.
        let slashes = isRelative ? range.lowerBound + 2 : find("://", range).map { $0 + 3 }
        let start = slashes ?? range.lowerBound
        let rest = start..<range.upperBound
        let authority =
            start..<end(rest) {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            }
        // A password that contains `/`, `?` or `#` ends the authority early. The URL is then
        // invalid, and the text after the colon is not a port.
        let colon = last(authority) { $0 == UInt8(ascii: ":") }
        let hasBrokenPassword =
            colon.map { colon in
                let port = (colon + 1)..<authority.upperBound
                return first(port) { !Mask.isDigit($0) } != nil
                    && first(port) { $0 == UInt8(ascii: "]") } == nil
            } ?? false
        let at =
            last(authority) { $0 == UInt8(ascii: "@") }
            ?? (hasBrokenPassword ? last(rest) { $0 == UInt8(ascii: "@") } : nil)
        // Without slashes, only a password distinguishes user information from a path. Such a text
        // is the address of a proxy whose scheme was forgotten.
        guard let at else { return nil }
        let hasPassword = first(start..<at) { $0 == UInt8(ascii: ":") } != nil
        return slashes != nil || hasPassword ? start..<at : nil
    }

    /// Masks user names and passwords of URLs after the first one, as in a list of URLs.
    private mutating func moreUserInfo(in range: Range<Int>) {
        guard var slashes = find("://", range) else { return }
        while let next = find("://", (slashes + 3)..<range.upperBound) {
            let end = find("://", (next + 3)..<range.upperBound) ?? range.upperBound
            if let userInfo = userInfo(next..<end) { mask(userInfo) }
            slashes = next
        }
    }

    /// Scans path segments. They may have parameters, as in `/cart;jsessionid=…` (RFC 3986, section
    /// 3.3), be tokens, or follow a segment such as `reset-password`.
    private mutating func path(_ range: Range<Int>, _ depth: Int) {
        if redaction.hidesSensitiveNames { tokens(range) }
        let hasParameters =
            first(range) { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "%") } != nil
        var start = range.lowerBound
        var isSecret = false
        while start < range.upperBound {
            let segment = start..<end(start..<range.upperBound) { $0 != UInt8(ascii: "/") }
            start = segment.upperBound + 1
            var name = segment
            var index = segment.lowerBound
            while hasParameters, index < segment.upperBound {
                guard let end = endOfSemicolon(index, segment.upperBound) else {
                    index += 1
                    continue
                }
                if name.upperBound > index { name = segment.lowerBound..<index }
                let next = nextSemicolon(end..<segment.upperBound)
                pair(end..<next, depth)
                index = next
            }
            if isSecret, !name.isEmpty { mask(name) }
            isSecret = redaction.hidesSensitiveNames && SensitiveNames.precedesSecret(bytes[name])
        }
    }

    /// Returns the start of the first parameter's `;` in a path segment, or the segment's end.
    func nextSemicolon(_ range: Range<Int>) -> Int {
        range.first { endOfSemicolon($0, range.upperBound) != nil } ?? range.upperBound
    }

    /// Returns the end of a `;` at `index`, literal or percent-encoded once or several times
    /// (`%253B`), because some servers decode a path before they parse its parameters.
    private func endOfSemicolon(_ index: Int, _ end: Int) -> Int? {
        if bytes[index] == UInt8(ascii: ";") { return index + 1 }
        guard bytes[index] == UInt8(ascii: "%") else { return nil }
        var index = index + 1
        while has("25", index, end) { index += 2 }
        return has("3b", index, end, ignoringCase: true) ? index + 2 : nil
    }

    /// Scans a fragment. Authorization servers return tokens in fragments, as pairs or as the query
    /// of a path.
    private mutating func fragment(_ range: Range<Int>, _ depth: Int) {
        let question = first(range) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "=") }
        guard let question, bytes[question] == UInt8(ascii: "?") else {
            return pairs(range, depth)
        }
        pairs((question + 1)..<range.upperBound, depth)
    }

    /// Scans `name=value&…`.
    mutating func pairs(_ range: Range<Int>, _ depth: Int) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = end(start..<range.upperBound) { $0 != UInt8(ascii: "&") }
            pair(start..<end, depth)
            start = end + 1
        }
    }

    /// Scans `name=value`. Some queries separate pairs by `;`. After a secret name, masks the rest,
    /// because the secret may contain `;`.
    private mutating func pair(_ range: Range<Int>, _ depth: Int) {
        var start = range.lowerBound
        while start < range.upperBound {
            let part = start..<end(start..<range.upperBound) { $0 != UInt8(ascii: ";") }
            start = part.upperBound + 1
            var value = part
            if let equals = first(part, where: { $0 == UInt8(ascii: "=") }) {
                value = (equals + 1)..<part.upperBound
                let name = Array(bytes[part.lowerBound..<equals])
                let plain = String(decoding: Mask.percentDecoded(name), as: UTF8.self)
                if isSecret(plain, in: .parameter) || isTelling(value, of: plain) {
                    return mask(value.lowerBound..<range.upperBound)
                }
            }
            member(value, depth)
        }
    }

    /// Scans a value that is not secret itself, such as a return URL or JSON.
    private mutating func member(_ range: Range<Int>, _ depth: Int) {
        guard !range.isEmpty else { return }
        guard depth < Mask.maximumDepth else { return mask(range) }
        let hasEscape = first(range) { $0 == UInt8(ascii: "%") } != nil
        if hasEscape { decodedValue(range, depth) } else { value(range, depth + 1) }
    }

    private func isTelling(_ value: Range<Int>, of name: String) -> Bool {
        redaction.hidesSensitiveNames && !redaction.visibleNames.contains(name.lowercased())
            && SensitiveNames.isSecret(value: bytes[value], of: name)
    }
}
