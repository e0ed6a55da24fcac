/// Recognizes secret header fields, parameters, JSON members and XML elements by name.
///
/// Logs, archives, cassettes, descriptions and cache keys share these rules. A name is compared
/// word by word, in lower case and without separators: `accessToken`, `access-token` and
/// `ACCESSTOKEN` are equal. A false positive costs a value in a log, a false negative discloses a
/// secret. An ambiguous name is therefore secret.
enum SensitiveNames {
    /// Where a name occurs. Some words indicate a secret only in some places.
    enum Place: Sendable {
        /// A header field.
        case field
        /// A parameter of a query, a fragment, a path or a form.
        case parameter
        /// A member of a JSON object, or a part of a multipart form.
        case member
        /// An XML element or attribute. There, `key` and `code` are not secret.
        case markup
    }

    /// Returns whether the value of `name` is considered secret.
    static func contains(_ name: String, in place: Place) -> Bool {
        let segments = Words.segments(of: name)
        guard let last = segments.last else { return false }
        let lower = segments.map(Words.lowercased)
        if segments.count == 1, let places = SecretTable.names[Words.text(lower[0])] {
            return places.contains(place)
        }
        if isEndpoint(Words.text(lower.flatMap { $0 })) { return false }
        if lower.count > 1 {
            let joined = lower.map(Words.text).joined(separator: "-")
            if SecretTable.phrases.contains(where: joined.contains) { return true }
        }
        // A ticket in a header field belongs to Kerberos, CAS or a similar protocol.
        if place == .field, Words.lowercased(last).hasSuffix("ticket") { return true }
        // The first check finds `APIkey` and `aPiKeY`, the second finds `sessionSid`.
        if isSecret(lower) { return true }
        let words = segments.flatMap(Words.camelCaseWords)
        return words.count > lower.count && isSecret(words.map(Words.lowercased))
    }

    /// Returns whether the path segment after `segment` is secret.
    static func precedesSecret(_ segment: some Collection<UInt8>) -> Bool {
        // The segments of the table are shorter.
        guard segment.count <= 32 else { return false }
        let letters = segment.lazy.filter { !Words.isSeparator($0) }.map(Mask.lower)
        // Most segments differ from each of the table in their first letter.
        guard let first = letters.first else { return false }
        return SecretTable.paths.contains { $0[0] == first && $0.elementsEqual(letters) }
    }

    /// Returns whether a value of the parameter `name` is secret because it does not read like a
    /// word: it has at least eight bytes, and others than letters and separators.
    static func isSecret(value: some Collection<UInt8>, of name: String) -> Bool {
        SecretTable.randoms.contains(name.lowercased()) && value.count >= 8
            && !value.allSatisfy { Mask.isLetter($0) || "-_+ ,".utf8.contains($0) }
    }

    /// Returns whether `name`, without separators, is the name of an endpoint's URL. Other URLs may
    /// contain a secret: `passwordResetUrl`.
    private static func isEndpoint(_ name: String) -> Bool {
        (name.hasSuffix("url") || name.hasSuffix("uri"))
            && endpoints.contains(String(name.dropLast(3)))
    }

    private static func isSecret(_ words: [[UInt8]]) -> Bool {
        let texts = words.map(Words.text)
        // `token_type` and `authorization_endpoint` describe a secret.
        if texts.count > 1, let last = texts.last, attributes.contains(last) { return false }
        return words.indices.contains { index in
            let (word, text) = (words[index], texts[index])
            let owner = index > 0 ? texts[index - 1] : ""
            return SecretTable.words.contains(text)
                || SecretTable.parts.contains { word.firstIndex(of: $0) != nil }
                || text == "sign" && index == words.count - 1
                || SecretTable.pairs[text]?.contains(owner) == true
                || SecretTable.joinedPairs.contains(text)
                || isSession(word) || isSecretWord(word) || isAuthentication(word)
                || isKey(word, of: owner) || isToken(word, of: owner, among: texts)
        }
    }
}

// Words that also occur inside harmless words.
extension SensitiveNames {
    private static func isSession(_ word: [UInt8]) -> Bool {
        word.has("session") && !word.has("possession") && !word.has("obsession")
    }

    private static func isSecretWord(_ word: [UInt8]) -> Bool {
        word.has("secret") && !word.has("secretar")
    }

    /// Finds `auth`, including `authorization`, but not `author` and `authority`.
    private static func isAuthentication(_ word: [UInt8]) -> Bool {
        var rest = word[...]
        while let start = Array(rest).firstIndex(of: Array("auth".utf8)) {
            rest = rest.dropFirst(start + 4)
            let isAuthor = rest.starts(with: "or".utf8)
            if !isAuthor || rest.starts(with: "oriz".utf8) || rest.starts(with: "oris".utf8) {
                return true
            }
        }
        return false
    }

    private static func isKey(_ word: [UInt8], of owner: String) -> Bool {
        guard word.hasSuffix("key"), !keyWords.contains(Words.text(word)) else { return false }
        let stem = Words.text(Array(word.dropLast(3)))
        return !publicKeys.contains(stem.isEmpty ? owner : stem)
    }

    private static func isToken(
        _ word: [UInt8], of owner: String, among words: [String]
    ) -> Bool {
        guard let start = word.firstIndex(of: Array("token".utf8)) else { return false }
        let stem = start > 0 ? Words.text(Array(word[..<start])) : owner
        let rest = Words.text(Array(word[(start + 5)...]))
        // In the plural, tokens of a language model are a quantity.
        if rest == "s" { return !counts.contains(stem) && counts.isDisjoint(with: words) }
        return !rest.hasPrefix("iz") && !rest.hasPrefix("is") && !attributes.contains(rest)
            && !listPlaces.contains(stem)
    }
}

// Harmless words, in lower case.
extension SensitiveNames {
    /// Suffixes of names that describe a secret without containing it (`token_type`).
    private static let attributes: Set = [
        "alg", "algorithm", "count", "enabled", "endpoint", "endpoints", "expiration", "expires",
        "expiry", "format", "length", "lifetime", "limit", "limits", "method", "methods", "mode",
        "name", "names", "policy", "required", "scheme", "size", "status", "supported", "timeout",
        "timestamp", "ttl", "type", "types", "version",
    ]

    /// Names that, before `url` or `uri`, denote endpoints and documents without secrets.
    private static let endpoints: Set = [
        "accesstoken", "auth", "authenticate", "authentication", "authorisation", "authorization",
        "authorize", "authprovider", "authserver", "cookiepolicy", "oauth", "oauthauthorization",
        "oauthauthorize", "oauthtoken", "passwordpolicy", "refreshtoken", "requesttoken",
        "revoketoken", "token", "tokeninfo",
    ]

    /// Words before `token` that denote a position in a list.
    private static let listPlaces: Set = [
        "continuation", "cursor", "next", "nextpage", "page", "pagination", "paging", "prev",
        "previous", "sync",
    ]

    /// Words that denote a number of tokens.
    private static let counts: Set = [
        "audio", "budget", "cached", "completion", "context", "details", "input", "limit", "max",
        "min", "num", "output", "per", "prediction", "prompt", "ratelimit", "reasoning",
        "remaining", "reset", "stop", "text", "thinking", "total", "usage", "used",
    ]

    /// Words before `key` that denote identifiers, not credentials.
    private static let publicKeys: Set = [
        "arrow", "cache", "composite", "correlation", "dedup", "deduplication", "evaluated",
        "foreign", "group", "hash", "hot", "i18n", "idempotency", "index", "issue", "locale",
        "lookup", "message", "object", "ordering", "partition", "primary", "project", "public",
        "publishable", "range", "row", "shortcut", "socket", "sort", "start", "surrogate",
        "translation", "websocket",
    ]

    /// Words that end in "key" but are not keys.
    private static let keyWords: Set = [
        "donkey", "flunkey", "hickey", "hockey", "hotkey", "jockey", "lackey", "latchkey",
        "malarkey", "mickey", "monkey", "okey", "pokey", "smokey", "turkey", "whiskey",
    ]
}

private enum Words {
    static func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }

    static func lowercased(_ word: [UInt8]) -> [UInt8] { word.map(Mask.lower) }

    /// Splits a name at ASCII separators. Letters of other alphabets are part of a word.
    static func segments(of name: String) -> [[UInt8]] {
        name.utf8.split(whereSeparator: isSeparator).map(Array.init)
    }

    static func isSeparator(_ byte: UInt8) -> Bool {
        byte < 0x80 && !Mask.isLetter(byte) && !Mask.isDigit(byte)
    }

    /// Splits `AWSAccessKeyId` into words. A capital letter begins a word; of several consecutive
    /// capitals, the last one does.
    static func camelCaseWords(_ letters: [UInt8]) -> [[UInt8]] {
        func isUpper(_ index: Int) -> Bool { Mask.lower(letters[index]) != letters[index] }
        func isLower(_ index: Int) -> Bool {
            index < letters.count && Mask.isLetter(letters[index]) && !isUpper(index)
        }
        var words: [[UInt8]] = []
        for (index, letter) in letters.enumerated() {
            let isBeginning =
                index == 0
                || isUpper(index) && (!isUpper(index - 1) || isLower(index + 1))
            if isBeginning { words.append([]) }
            words[words.count - 1].append(letter)
        }
        return words
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of part: [UInt8]) -> Int? {
        guard count >= part.count else { return nil }
        return (0...(count - part.count)).first { start in
            self[start] == part[0] && self[start...].starts(with: part)
        }
    }

    fileprivate func has(_ part: String) -> Bool { firstIndex(of: Array(part.utf8)) != nil }

    fileprivate func hasSuffix(_ suffix: String) -> Bool {
        reversed().starts(with: suffix.utf8.reversed())
    }
}
