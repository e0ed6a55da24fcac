/// Finds secrets by their format, whatever their names.
enum TokenSearch {
    /// Returns the range of the secret at `start`, without its authentication scheme. `nil` if
    /// there is no secret.
    static func range<Bytes: RandomAccessCollection<UInt8>>(
        ofTokenAt start: Int, in bytes: Bytes, _ range: Range<Int>
    ) -> Range<Int>? where Bytes.Index == Int {
        // A fast path: few bytes can begin a secret.
        guard firstBytes[Int(bytes[start])],
            start == range.lowerBound || !isTokenByte(bytes[start - 1])
        else { return nil }
        let rest = Text(bytes: bytes, start: start, end: range.upperBound)
        let end = rest.endOfWebToken ?? rest.endOfServiceToken ?? rest.endOfPrivateKey
        return end.map { start..<$0 } ?? rest.rangeOfPath ?? rest.rangeOfCredentials
    }

    /// Returns the range of the token after an authentication scheme such as `Bearer` (RFC 9110,
    /// section 11.4). `nil` if no such scheme begins at `start`, or if parameters follow it.
    static func range<Bytes: RandomAccessCollection<UInt8>>(
        ofCredentialsAt start: Int, in bytes: Bytes, _ end: Int
    ) -> Range<Int>? where Bytes.Index == Int {
        Text(bytes: bytes, start: start, end: end).rangeOfCredentials
    }

    private static let firstBytes: [Bool] = {
        let rows = SecretTable.tokens.map(\.name) + SecretTable.addresses
        let firsts = Set(
            rows.map { $0[0] } + SecretTable.schemes.flatMap { [$0.name[0], $0.name[0] & 0xDF] }
                + "e-".utf8)
        return (0...255).map { firsts.contains($0) }
    }()
}

/// Returns whether a token may contain the byte: letters, digits, `-`, `_` and `.`.
private func isTokenByte(_ byte: UInt8) -> Bool {
    Mask.isLetter(byte) || Mask.isDigit(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
}

/// A text in which a secret may begin at `start`.
private struct Text<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    let bytes: Bytes
    let start: Int
    let end: Int

    private func has(_ prefix: [UInt8], at index: Int, isExact: Bool = true) -> Bool {
        guard index + prefix.count <= end else { return false }
        return prefix.indices.allSatisfy {
            let byte = bytes[index + $0]
            return byte == prefix[$0] || !isExact && Mask.lower(byte) == prefix[$0]
        }
    }

    private func end(_ index: Int, while isWanted: (UInt8) -> Bool) -> Int {
        (index..<end).first { !isWanted(bytes[$0]) } ?? end
    }

    /// The token at the start, without trailing full stops.
    private var endOfToken: Int {
        var end = end(start, while: isTokenByte)
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return end
    }

    /// The end of a JSON Web Token (RFC 7519): a Base64-encoded object, a dot and further parts.
    var endOfWebToken: Int? {
        guard has(SecretTable.webToken, at: start) else { return nil }
        let end = endOfToken
        let dot = (start..<end).first { bytes[$0] == UInt8(ascii: ".") }
        return dot.map { $0 - start > 8 } == true ? end : nil
    }

    var endOfServiceToken: Int? {
        guard let kind = SecretTable.tokens.first(where: { has($0.name, at: start) }) else {
            return nil
        }
        let end = endOfToken
        return end - start >= kind.minimum ? end : nil
    }

    /// The end of a PEM private key (RFC 7468). A truncated key extends to the end of the text.
    var endOfPrivateKey: Int? {
        guard has(SecretTable.pemBegin, at: start) else { return nil }
        let label = start + SecretTable.pemBegin.count
        let dashes = end(label) { $0 != UInt8(ascii: "-") }
        let name = SecretTable.pemKey
        guard dashes - name.count >= label, has(name, at: dashes - name.count) else { return nil }
        guard let last = (dashes..<end).first(where: { has(SecretTable.pemEnd, at: $0) }) else {
            return end
        }
        let after = end(last + SecretTable.pemEnd.count) { $0 != UInt8(ascii: "-") }
        return end(after) { $0 == UInt8(ascii: "-") }
    }

    /// The range of a secret path after the address of a service with secret URLs.
    var rangeOfPath: Range<Int>? {
        guard let prefix = SecretTable.addresses.first(where: { has($0, at: start) }) else {
            return nil
        }
        let first = start + prefix.count
        let last = end(first) { isTokenByte($0) || "/:@".utf8.contains($0) }
        return last > first ? first..<last : nil
    }

    var rangeOfCredentials: Range<Int>? {
        let scheme = SecretTable.schemes.first { has($0.name, at: start, isExact: false) }
        guard let scheme else { return nil }
        let space = start + scheme.name.count
        let token = end(space) { $0 == 0x20 }
        // `token68` of RFC 9110, section 11.2.
        let last = end(token) { isTokenByte($0) || "~+/=".utf8.contains($0) }
        guard token > space, last - token >= scheme.minimum else { return nil }
        // `Bearer realm="…"` has a parameter. In a token, `=` is only padding at the end.
        let isFilled = last < end && bytes[last] == UInt8(ascii: "\"")
        var core = last
        while !isFilled, core > token, bytes[core - 1] == UInt8(ascii: "=") { core -= 1 }
        let hasPadding = (token..<core).contains { bytes[$0] == UInt8(ascii: "=") }
        return hasPadding ? nil : token..<last
    }
}
