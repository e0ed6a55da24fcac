import MoyaInternals

/// Recognizes secret header fields, parameters, JSON members and XML elements by name.
///
/// Logs, archives, cassettes, descriptions and cache keys share these rules. A name is compared
/// word by word, in lower case and without separators: `accessToken`, `access-token` and
/// `ACCESSTOKEN` are equal. A false positive costs a value in a log, a false negative discloses a
/// secret. An ambiguous name is therefore secret.
@_spi(MoyaInternals)
public enum SensitiveNames {
    /// Where a name occurs. Some words indicate a secret only in some places.
    public enum Place: Sendable {
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
    public static func contains(_ name: String, in place: Place = .field) -> Bool {
        let key = Key(name: name, place: place)
        if let known = cache.withLock({ $0[key] }) { return known }
        let isSecret = judge(name, place)
        cache.withLock { cache in
            // Bounded, because servers can send any number of names.
            if cache.count >= 1024 { cache.removeAll() }
            if name.utf8.count <= 64 { cache[key] = isSecret }
        }
        return isSecret
    }

    private struct Key: Hashable {
        let name: String
        let place: Place
    }

    /// Results for recent names: most messages have the same names.
    private static let cache = Locked<[Key: Bool]>([:])

    private static func judge(_ name: String, _ place: Place) -> Bool {
        let segments = Words.segments(of: name)
        guard let last = segments.last else { return false }
        if segments.count == 1, let isSecret = bareNames(last, place) { return isSecret }
        let joined = segments.joined(separator: "-").lowercased()
        if isEndpoint(segments.joined().lowercased()) { return false }
        if phrases.contains(where: joined.contains) { return true }
        // A ticket in a header field belongs to Kerberos, CAS or a similar protocol.
        if place == .field, last.lowercased().hasSuffix("ticket") { return true }
        // The first check finds `APIkey` and `aPiKeY`, the second finds `sessionSid`.
        return isSecret(segments) || isSecret(segments.flatMap(Words.camelCaseWords))
    }

    /// Returns the result for single words that depend on the place. `nil` for all other names.
    private static func bareNames(_ name: String, _ place: Place) -> Bool? {
        switch name.lowercased() {
        case "key", "code": place != .markup
        case "appid": place == .parameter
        // In other places it may be a support ticket.
        case "ticket": place == .field || place == .parameter
        // The session token of the IG trading API.
        case "cst": place == .field
        default: nil
        }
    }

    /// Returns whether `name`, without separators, is the name of an endpoint's URL. Other URLs may
    /// contain a secret: `passwordResetUrl`.
    private static func isEndpoint(_ name: String) -> Bool {
        (name.hasSuffix("url") || name.hasSuffix("uri")) && endpoints.contains(name.dropLast(3))
    }

    private static func isSecret(_ words: [String]) -> Bool {
        let words = words.map { $0.lowercased() }
        // `token_type` and `authorization_endpoint` describe a secret.
        if words.count > 1, let last = words.last, attributes.contains(last) { return false }
        return words.indices.contains { index in
            let word = words[index]
            let owner = index > 0 ? words[index - 1] : ""
            return exactWords.contains(word) || substrings.contains(where: word.contains)
                || word == "sign" && index == words.count - 1
                || pairs[word]?.contains(owner) == true
                || isSession(word) || isSecretWord(word) || isAuthentication(word)
                || isKey(word, of: owner)
                || isToken(word, of: owner, among: words)
        }
    }
}

// Words that also occur inside harmless words.
extension SensitiveNames {
    private static func isSession(_ word: String) -> Bool {
        word.contains("session") && !word.contains("possession") && !word.contains("obsession")
    }

    private static func isSecretWord(_ word: String) -> Bool {
        word.contains("secret") && !word.contains("secretar")
    }

    /// Finds `auth`, including `authorization`, but not `author` and `authority`.
    private static func isAuthentication(_ word: String) -> Bool {
        word.ranges(of: "auth").contains { range in
            let rest = word[range.upperBound...]
            return !rest.hasPrefix("or") || rest.hasPrefix("oriz") || rest.hasPrefix("oris")
        }
    }

    private static func isKey(_ word: String, of owner: String) -> Bool {
        guard word.hasSuffix("key"), !keyWords.contains(word) else { return false }
        let stem = word.dropLast(3)
        return !publicKeys.contains(stem.isEmpty ? owner : String(stem))
    }

    private static func isToken(_ word: String, of owner: String, among words: [String]) -> Bool {
        guard let range = word.firstRange(of: "token") else { return false }
        let stem = range.lowerBound > word.startIndex ? String(word[..<range.lowerBound]) : owner
        let rest = String(word[range.upperBound...])
        // In the plural, tokens of a language model are a quantity.
        if rest == "s" { return !counts.contains(stem) && counts.isDisjoint(with: words) }
        return !rest.hasPrefix("iz") && !rest.hasPrefix("is") && !attributes.contains(rest)
            && !listPlaces.contains(stem)
    }
}

// Word lists, in lower case.
extension SensitiveNames {
    /// Secret as a part of any word.
    private static let substrings = [
        "passw", "passphrase", "passcode", "passkey", "kennwort", "credential", "signature",
        "cookie", "sessid", "jwt", "bearer", "apikey", "accesskey", "privatekey", "csrf", "xsrf",
        "hmac", "samlre", "assertion", "mnemonic", "connectionstring", "contrase", "senha", "oidc",
        "appcheck", "wpnonce", "cardnumber", "clientcert", "magiclink",
    ]

    /// Secret as a complete word.
    private static let exactWords: Set = [
        "cred", "creds", "crumb", "cvc", "cvc2", "cvv", "cvv2", "dpop", "hotp", "mfa", "nonce",
        "otp", "pass", "pin", "psk", "psw", "pw", "pwd", "saml", "sess", "sid", "sig", "ssn",
        "totp", "verifier",
    ]

    /// Secret after one of these words.
    private static let pairs: [String: Set<String>] = [
        "code": codes, "codes": codes,
        "keys": [
            "access", "account", "api", "app", "encryption", "license", "master", "private",
            "service", "signing",
        ],
        "answer": ["security"], "phrase": ["recovery", "seed"], "number": ["card"],
        "cert": ["client"], "link": ["magic"],
        "ticket": ["access", "cas", "granting", "kerberos", "login", "sso"],
        "hash": ["access", "api", "login"],
    ]

    private static let codes: Set = [
        "2fa", "access", "activation", "backup", "confirmation", "device", "invite", "login",
        "recovery", "reset", "security", "sms", "time", "user", "verification",
    ]

    /// Secret names that none of their words indicates.
    private static let phrases = [
        "connection-string", "honeycomb-team", "identity-header", "jfrog-art-api",
    ]

    /// Suffixes of names that describe a secret without containing it (`token_type`).
    private static let attributes: Set = [
        "alg", "algorithm", "count", "enabled", "endpoint", "endpoints", "expiration", "expires",
        "expiry", "format", "length", "lifetime", "limit", "limits", "method", "methods", "mode",
        "name", "names", "policy", "required", "scheme", "size", "status", "supported", "timeout",
        "timestamp", "ttl", "type", "types", "version",
    ]

    /// Names that, before `url` or `uri`, denote endpoints and documents without secrets.
    private static let endpoints: Set<Substring> = [
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
    /// Splits a name at ASCII separators. Letters of other alphabets are part of a word.
    static func segments(of name: String) -> [String] {
        name.split { $0.isASCII && !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Splits `AWSAccessKeyId` into words. A capital letter begins a word; of several consecutive
    /// capitals, the last one does.
    static func camelCaseWords(_ segment: String) -> [String] {
        let letters = Array(segment)
        var words: [String] = []
        for (index, letter) in letters.enumerated() {
            let isBeginning =
                index == 0
                || letter.isUppercase
                    && (!letters[index - 1].isUppercase
                        || index + 1 < letters.count && letters[index + 1].isLowercase)
            if isBeginning { words.append("") }
            words[words.count - 1].append(letter)
        }
        return words
    }
}
