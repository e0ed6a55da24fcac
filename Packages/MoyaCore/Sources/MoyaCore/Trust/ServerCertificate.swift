import Foundation

/// A certificate as a server shows it (RFC 5280).
public struct ServerCertificate: Sendable, Hashable {
    /// The certificate, encoded by the distinguished encoding rules.
    public let der: Data

    /// Takes the bytes as they are. Bytes that are no certificate have no ``publicKey``, and no server shows them.
    public init(der: Data) {
        self.der = der
    }

    /// The certificates in `data`, in PEM form (RFC 7468).
    ///
    /// - Throws: ``ServerTrustError`` where there is none, or one that cannot be read.
    public static func certificates(
        pem data: Data
    ) throws -> [ServerCertificate] {
        let blocks = try PEM.blocks(named: "CERTIFICATE", in: data)
        guard !blocks.isEmpty else {
            throw ServerTrustError("The data holds no certificate in PEM form.")
        }
        return blocks.map(ServerCertificate.init(der:))
    }

    /// The certificate in PEM form.
    public var pem: String {
        let text = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    /// The key the certificate is for. `nil` for bytes that are no certificate.
    public var publicKey: ServerPublicKey? {
        // Certificate, its TBSCertificate, and in there the seventh field, or the sixth where the
        // version is left out (RFC 5280, section 4.1).
        var whole = DERReader(der)
        guard var outer = whole.next(tag: DERReader.sequence),
            var fields = outer.next(tag: DERReader.sequence)
        else { return nil }
        if fields.nextTag == 0xA0 { fields.skip() }
        for _ in 0..<5 { fields.skip() }
        return fields.nextElement().flatMap { ServerPublicKey(subjectPublicKeyInfo: $0) }
    }
}

/// A public key, as certificates have it.
public struct ServerPublicKey: Sendable, Hashable {
    /// The bits of the key itself: a `RSAPublicKey` (RFC 8017) or the point of an elliptic curve. As Security's
    /// `SecKeyCopyExternalRepresentation` has them.
    public let bits: Data

    /// Takes the bits as they are. Files mostly hold more around them: see ``init(subjectPublicKeyInfo:)`` and
    /// ``keys(pem:)``.
    public init(bits: Data) {
        self.bits = bits
    }

    /// The key in a `SubjectPublicKeyInfo` (RFC 5280, section 4.1.2.7). `nil` for anything else.
    public init?(subjectPublicKeyInfo: Data) {
        var whole = DERReader(subjectPublicKeyInfo)
        guard var fields = whole.next(tag: DERReader.sequence) else { return nil }
        fields.skip()
        // The first byte of a bit string counts the unused bits of its last.
        guard let bits = fields.next(tag: 0x03)?.rest, bits.first == 0, bits.count > 1 else {
            return nil
        }
        self.bits = Data(bits.dropFirst())
    }

    /// The keys in `data`, in PEM form: public keys and those of certificates.
    ///
    /// - Throws: ``ServerTrustError`` where there is none, or one that cannot be read.
    public static func keys(pem data: Data) throws -> [ServerPublicKey] {
        let keys = try PEM.blocks(named: "PUBLIC KEY", in: data).map {
            ServerPublicKey(subjectPublicKeyInfo: $0)
        }
        let certified = try PEM.blocks(named: "CERTIFICATE", in: data).map {
            ServerCertificate(der: $0).publicKey
        }
        let all = keys + certified
        let readable = all.compactMap { $0 }
        guard !all.isEmpty, readable.count == all.count else {
            throw ServerTrustError(
                "The data holds no public key in PEM form, or one that is broken.")
        }
        return readable
    }
}

/// Steps through what the distinguished encoding rules have put side by side.
private struct DERReader {
    static let sequence: UInt8 = 0x30

    private(set) var rest: Data

    init(_ data: Data) {
        rest = data
    }

    var nextTag: UInt8? { rest.first }

    mutating func skip() { _ = nextElement() }

    /// The content of the next element, if it has this tag.
    mutating func next(tag: UInt8) -> DERReader? {
        guard nextTag == tag, let header = header() else { return nil }
        defer { rest = rest.dropFirst(header.length + header.content) }
        return DERReader(rest.dropFirst(header.length).prefix(header.content))
    }

    mutating func nextElement() -> Data? {
        guard let header = header() else { return nil }
        defer { rest = rest.dropFirst(header.length + header.content) }
        return rest.prefix(header.length + header.content)
    }

    /// How long the next element's header and content are, if it is whole.
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
        // Below 0 where Int has 32 bits and the length needs all of them.
        return content >= 0 && content <= rest.count - length ? (length, content) : nil
    }
}

/// Text around Base64 (RFC 7468).
private enum PEM {
    static func blocks(named name: String, in data: Data) throws(ServerTrustError) -> [Data] {
        var blocks: [Data] = []
        let text = String(decoding: data, as: UTF8.self)
        for part in text.components(separatedBy: "-----BEGIN \(name)-----").dropFirst() {
            let body = part.components(separatedBy: "-----END \(name)-----")
            guard body.count > 1,
                let block = Data(base64Encoded: body[0], options: .ignoreUnknownCharacters),
                !block.isEmpty
            else { throw ServerTrustError("A \(name) in PEM form is broken.") }
            blocks.append(block)
        }
        return blocks
    }
}
