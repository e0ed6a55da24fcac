/// Finds secrets by their format, whatever their names.
@_spi(MoyaInternals)
public enum TokenSearch {
    /// Returns whether all of `text` is a token in the format of a known service.
    public static func isToken(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return !bytes.isEmpty && range(ofTokenAt: 0, in: bytes) == 0..<bytes.count
    }

    /// Returns the range of the secret at `start`, without its authentication scheme. `nil` if
    /// there is no secret.
    static func range(ofTokenAt start: Int, in bytes: [UInt8]) -> Range<Int>? {
        // A fast path: few bytes can begin a secret.
        guard firstBytes.contains(bytes[start]), start == 0 || !isTokenByte(bytes[start - 1]) else {
            return nil
        }
        let end =
            endOfWebToken(start, bytes) ?? endOfServiceToken(start, bytes)
            ?? endOfPrivateKey(start, bytes)
        return end.map { start..<$0 } ?? range(ofPathAt: start, in: bytes)
            ?? range(ofCredentialsAt: start, in: bytes)
    }

    /// Returns the range of the token after an authentication scheme such as `Bearer` (RFC 9110,
    /// section 11.4). `nil` if no such scheme begins at `start`, or if parameters follow it.
    static func range(ofCredentialsAt start: Int, in bytes: [UInt8]) -> Range<Int>? {
        guard let scheme = schemes.first(where: { hasPrefix($0.name, start, bytes) }) else {
            return nil
        }
        let space = start + scheme.name.count
        let token = bytes[space...].firstIndex { $0 != 0x20 } ?? bytes.count
        var end = token
        while end < bytes.count, isToken68(bytes[end]) { end += 1 }
        guard token > space, end - token >= scheme.minimum else { return nil }
        // `Bearer realm="…"` has a parameter. In a token, `=` is only padding at the end.
        let isFilled = end < bytes.count && bytes[end] == UInt8(ascii: "\"")
        let core = bytes[token..<end].reversed().drop { $0 == UInt8(ascii: "=") && !isFilled }
        return core.contains(UInt8(ascii: "=")) ? nil : token..<end
    }
}

extension TokenSearch {
    /// Returns the end of a JSON Web Token (RFC 7519): a Base64-encoded object, a dot and further
    /// parts.
    private static func endOfWebToken(_ start: Int, _ bytes: [UInt8]) -> Int? {
        guard hasPrefix(Array("eyJ".utf8), start, bytes, isExact: true) else { return nil }
        let end = endOfToken(start, bytes)
        guard let dot = bytes[start..<end].firstIndex(of: UInt8(ascii: ".")), dot - start > 8 else {
            return nil
        }
        return end
    }

    private static func endOfServiceToken(_ start: Int, _ bytes: [UInt8]) -> Int? {
        guard let kind = services.first(where: { hasPrefix($0.name, start, bytes, isExact: true) })
        else { return nil }
        let end = endOfToken(start, bytes)
        return end - start >= kind.minimum ? end : nil
    }

    /// Returns the end of a PEM private key (RFC 7468). A truncated key extends to the end of the
    /// text.
    private static func endOfPrivateKey(_ start: Int, _ bytes: [UInt8]) -> Int? {
        guard hasPrefix(Array("-----BEGIN ".utf8), start, bytes, isExact: true) else { return nil }
        let label = bytes[start...].dropFirst(11).prefix { $0 != UInt8(ascii: "-") }
        guard label.reversed().starts(with: "PRIVATE KEY".utf8.reversed()) else { return nil }
        let last = Array("-----END ".utf8)
        guard
            let end = bytes.indices[label.endIndex...].first(where: {
                bytes[$0] == last[0] && hasPrefix(last, $0, bytes, isExact: true)
            })
        else { return bytes.count }
        let dashes = bytes[(end + last.count)...].firstIndex(of: UInt8(ascii: "-")) ?? bytes.count
        return bytes[dashes...].firstIndex { $0 != UInt8(ascii: "-") } ?? bytes.count
    }

    /// Returns the range of a secret path after the address of a service with secret URLs.
    private static func range(ofPathAt start: Int, in bytes: [UInt8]) -> Range<Int>? {
        guard let prefix = paths.first(where: { hasPrefix($0, start, bytes, isExact: true) }) else {
            return nil
        }
        let first = start + prefix.count
        var end = first
        while end < bytes.count, isTokenByte(bytes[end]) || "/:@".utf8.contains(bytes[end]) {
            end += 1
        }
        return end > first ? first..<end : nil
    }

    /// Returns the end of the token at `start`, without trailing full stops.
    private static func endOfToken(_ start: Int, _ bytes: [UInt8]) -> Int {
        var end = start
        while end < bytes.count, isTokenByte(bytes[end]) { end += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return end
    }

    private static func hasPrefix(
        _ prefix: [UInt8], _ start: Int, _ bytes: [UInt8], isExact: Bool = false
    ) -> Bool {
        guard start + prefix.count <= bytes.count else { return false }
        return prefix.indices.allSatisfy {
            let byte = bytes[start + $0]
            return byte == prefix[$0] || !isExact && byte | 0x20 == prefix[$0]
        }
    }

    /// Returns whether a token may contain the byte: letters, digits, `-`, `_` and `.`.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }

    /// Returns whether a `token68` (RFC 9110, section 11.2) may contain the byte.
    private static func isToken68(_ byte: UInt8) -> Bool {
        isTokenByte(byte) || "~+/=".utf8.contains(byte)
    }
}

extension TokenSearch {
    private struct Kind {
        let name: [UInt8]
        /// Minimum size of a token, in bytes.
        let minimum: Int

        init(_ name: String, _ minimum: Int) {
            self.name = Array(name.utf8)
            self.minimum = minimum
        }
    }

    /// Schemes whose credentials are a token, in lower case. The names of other schemes are also
    /// common words.
    private static let schemes = [
        Kind("bearer", 1), Kind("dpop", 8), Kind("negotiate", 12), Kind("ntlm", 12),
        Kind("basic", 12), Kind("apikey", 8), Kind("ssws", 8),
    ]

    /// Prefixes of tokens of known services, with the minimum size of a token including its prefix.
    private static let services = [
        Kind("ghp_", 20), Kind("gho_", 20), Kind("ghu_", 20), Kind("ghs_", 20), Kind("ghr_", 20),
        Kind("github_pat_", 20), Kind("glpat-", 20), Kind("xoxb-", 20), Kind("xoxp-", 20),
        Kind("xoxa-", 20), Kind("xoxs-", 20), Kind("xapp-", 20), Kind("sk_live_", 20),
        Kind("sk_test_", 20), Kind("rk_live_", 20), Kind("whsec_", 20), Kind("sk-", 32),
        Kind("AKIA", 20), Kind("ASIA", 20), Kind("AIza", 39), Kind("ya29.", 20), Kind("SG.", 40),
        Kind("shpat_", 20), Kind("shpss_", 20), Kind("hf_", 30), Kind("npm_", 30),
        Kind("pypi-", 40), Kind("dop_v1_", 40), Kind("hvs.", 24), Kind("xkeysib-", 40),
        Kind("key-", 36), Kind("dckr_pat_", 20), Kind("lin_api_", 20),
    ]

    /// Webhooks and Telegram bots.
    private static let paths = [
        "hooks.slack.com/services/", "hooks.slack.com/workflows/", "discord.com/api/webhooks/",
        "discordapp.com/api/webhooks/", "api.telegram.org/bot",
    ].map { Array($0.utf8) }

    private static let firstBytes: Set<UInt8> = Set(
        services.map { $0.name[0] } + paths.map { $0[0] }
            + schemes.flatMap { [$0.name[0], $0.name[0] & 0xDF] }
            + [UInt8(ascii: "e"), UInt8(ascii: "-")])
}
