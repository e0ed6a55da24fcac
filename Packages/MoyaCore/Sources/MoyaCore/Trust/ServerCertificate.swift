import Foundation

/// A server's certificate (RFC 5280).
public struct ServerCertificate: Sendable, Hashable {
    /// The certificate in DER encoding.
    public let der: Data

    /// Creates a certificate without validating it. Bytes that are not a certificate have no
    /// ``publicKey`` and match no server.
    public init(der: Data) {
        self.der = der
    }

    /// Returns the certificates in `data`, in PEM format (RFC 7468).
    ///
    /// - Throws: ``ServerTrustError`` if there is no certificate or one cannot be decoded.
    public static func certificates(
        pem data: Data
    ) throws -> [ServerCertificate] {
        let blocks = try PEM.blocks(named: "CERTIFICATE", in: data)
        guard !blocks.isEmpty else {
            throw ServerTrustError(
                "The data contains no PEM certificate (-----BEGIN CERTIFICATE-----). For DER, use "
                    + "ServerCertificate(der:).")
        }
        return blocks.map(ServerCertificate.init(der:))
    }

    /// The certificate in PEM format.
    public var pem: String {
        let text = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    /// The certificate's public key. `nil` if the bytes are not a certificate.
    public var publicKey: ServerPublicKey? {
        // The key is the seventh field of the certificate's TBSCertificate, or the sixth without
        // the version (RFC 5280, section 4.1).
        var whole = DERReader(rest: der)
        guard var outer = whole.next(tag: DERReader.sequence),
            var fields = outer.next(tag: DERReader.sequence)
        else { return nil }
        if fields.nextTag == 0xA0 { fields.skip() }
        for _ in 0..<5 { fields.skip() }
        return fields.nextElement().flatMap { ServerPublicKey(subjectPublicKeyInfo: $0) }
    }
}

/// A certificate's public key.
public struct ServerPublicKey: Sendable, Hashable {
    /// The bits of the key: an `RSAPublicKey` (RFC 8017) or the point of an elliptic curve. The
    /// same format as Security's `SecKeyCopyExternalRepresentation`.
    public let bits: Data

    /// Creates a key from its bits. Key files usually contain more: see
    /// ``init(subjectPublicKeyInfo:)`` and ``keys(pem:)``.
    public init(bits: Data) {
        self.bits = bits
    }

    /// Creates a key from a `SubjectPublicKeyInfo` (RFC 5280, section 4.1.2.7). `nil` for other
    /// data.
    public init?(subjectPublicKeyInfo: Data) {
        var whole = DERReader(rest: subjectPublicKeyInfo)
        guard var fields = whole.next(tag: DERReader.sequence) else { return nil }
        fields.skip()
        // The first byte of a bit string is the number of unused bits in its last byte.
        guard let bits = fields.next(tag: 0x03)?.rest, bits.first == 0, bits.count > 1 else {
            return nil
        }
        self.bits = Data(bits.dropFirst())
    }

    /// Returns the keys in `data`, in PEM format: public keys and the keys of certificates.
    ///
    /// - Throws: ``ServerTrustError`` if there is no key or one cannot be decoded.
    public static func keys(pem data: Data) throws -> [ServerPublicKey] {
        let keys = try PEM.blocks(named: "PUBLIC KEY", in: data).map {
            ServerPublicKey(subjectPublicKeyInfo: $0)
        }
        let certified = try PEM.blocks(named: "CERTIFICATE", in: data).map {
            ServerCertificate(der: $0).publicKey
        }
        let all = keys + certified
        let readable = all.compactMap { $0 }
        guard !all.isEmpty else {
            throw ServerTrustError(
                "The data contains no PEM public key (-----BEGIN PUBLIC KEY-----) and no PEM "
                    + "certificate.")
        }
        guard readable.count == all.count else {
            throw ServerTrustError(
                "A PEM public key or certificate is malformed: it contains no public key.")
        }
        return readable
    }
}

/// Reads consecutive DER elements.
private struct DERReader {
    static let sequence: UInt8 = 0x30

    private(set) var rest: Data

    var nextTag: UInt8? { rest.first }

    mutating func skip() { _ = nextElement() }

    /// Returns the content of the next element if it has this tag.
    mutating func next(tag: UInt8) -> DERReader? {
        guard nextTag == tag, let header = header() else { return nil }
        defer { rest = rest.dropFirst(header.length + header.content) }
        return DERReader(rest: rest.dropFirst(header.length).prefix(header.content))
    }

    mutating func nextElement() -> Data? {
        guard let header = header() else { return nil }
        defer { rest = rest.dropFirst(header.length + header.content) }
        return rest.prefix(header.length + header.content)
    }

    /// Returns the lengths of the next element's header and content, if it is complete.
    private func header() -> (length: Int, content: Int)? {
        let bytes = rest.prefix(6).map { Int($0) }
        guard bytes.count >= 2 else { return nil }
        var (length, content) = (2, bytes[1])
        if content >= 0x80 {
            let count = content & 0x7F
            guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
            length += count
            content = bytes[2..<2 + count].reduce(0) { $0 << 8 | $1 }
        }
        // A negative value means that the length overflowed a 32-bit `Int`.
        return content >= 0 && content <= rest.count - length ? (length, content) : nil
    }
}

/// Decodes PEM blocks (RFC 7468).
private enum PEM {
    static func blocks(named name: String, in data: Data) throws(ServerTrustError) -> [Data] {
        var blocks: [Data] = []
        let text = String(decoding: data, as: UTF8.self)
        for part in text.components(separatedBy: "-----BEGIN \(name)-----").dropFirst() {
            let body = part.components(separatedBy: "-----END \(name)-----")
            guard body.count > 1,
                let block = Data(base64Encoded: body[0], options: .ignoreUnknownCharacters),
                !block.isEmpty
            else {
                throw ServerTrustError(
                    "PEM \(name.lowercased()) \(blocks.count + 1) is malformed: it has no Base64 "
                        + "content, or no -----END \(name)----- line.")
            }
            blocks.append(block)
        }
        return blocks
    }
}
