import Foundation
import MoyaCore
import MoyaInternals

/// The digest that a file is meant to have.
///
/// ```swift
/// let checksum = try Checksum.sha256("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
/// ```
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
    /// A hash function, by its name in RFC 9530.
    public enum Algorithm: String, Sendable, CaseIterable {
        /// SHA-256: 32 bytes.
        case sha256 = "sha-256"
        /// SHA-512: 64 bytes.
        case sha512 = "sha-512"

        var byteCount: Int { self == .sha256 ? 32 : 64 }
        var function: Digester.Function { self == .sha256 ? .sha256 : .sha512 }
    }

    /// The hash function that the digest is of.
    public let algorithm: Algorithm
    /// The bytes of the digest.
    public let digest: Data

    /// A digest out of its bytes.
    ///
    /// - Throws: ``DownloadError`` if there are too many or too few.
    public init(_ algorithm: Algorithm, digest: Data) throws {
        guard digest.count == algorithm.byteCount else {
            throw DownloadError(
                .invalidChecksum,
                "A digest of \(algorithm.rawValue) has \(algorithm.byteCount) bytes, not \(digest.count)."
            )
        }
        self.algorithm = algorithm
        self.digest = digest
    }

    /// A SHA-256 digest in hexadecimal digits, as `sha256sum` prints it.
    ///
    /// - Throws: ``DownloadError`` for anything else.
    public static func sha256(_ hex: String) throws -> Checksum {
        try Checksum(.sha256, digest: bytes(hex))
    }

    /// A SHA-512 digest in hexadecimal digits.
    ///
    /// - Throws: ``DownloadError`` for anything else.
    public static func sha512(_ hex: String) throws -> Checksum {
        try Checksum(.sha512, digest: bytes(hex))
    }

    /// The digest of a file, which is read piece by piece.
    ///
    /// - Throws: What reading it fails with; `CancellationError`.
    public init(_ algorithm: Algorithm, of file: URL) throws {
        try self.init(algorithm, of: file) { try Task.checkCancellation() }
    }

    /// The digest of a file, unless `check` throws before one of its pieces is read.
    init(_ algorithm: Algorithm, of file: URL, before check: () throws -> Void) throws {
        self.algorithm = algorithm
        digest = try Digester.digest(algorithm.function, ofFile: file, checking: check)
    }

    /// The algorithm and the hexadecimal digits.
    public var description: String {
        "\(algorithm.rawValue) " + Hexadecimal.encode(digest)
    }

    private static func bytes(_ hex: String) throws(DownloadError) -> Data {
        let digits = hex.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count == hex.utf8.count, digits.count % 2 == 0 else {
            throw DownloadError(
                .invalidChecksum, "A checksum has hexadecimal digits alone, in pairs.")
        }
        return Data(
            stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}

extension Checksum {
    /// The strongest digest that a field of RFC 9530 has, if it has one that is known here.
    init?(field: String?) {
        guard let field else { return nil }
        // Neither commas nor semicolons are part of Base64.
        let members = field.split(separator: ",").compactMap { member -> (String, Data)? in
            let item = member.split(separator: ";").first ?? ""
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            guard value.count > 1, value.first == ":", value.last == ":",
                let digest = Data(base64Encoded: String(value.dropFirst().dropLast()))
            else { return nil }
            return (parts[0].trimmingCharacters(in: .whitespaces), digest)
        }
        for algorithm in [Algorithm.sha512, .sha256] {
            if let (_, digest) = members.last(where: { $0.0 == algorithm.rawValue }),
                let checksum = try? Checksum(algorithm, digest: digest)
            {
                self = checksum
                return
            }
        }
        return nil
    }
}

extension Digester {
    /// The SHA-256 digest of a text, in hexadecimal digits: stands for it where it may hold secrets, or is too long for
    /// the name of a file.
    static func sha256(of text: String) -> String {
        Hexadecimal.encode(digest(.sha256, of: Data(text.utf8)))
    }
}
