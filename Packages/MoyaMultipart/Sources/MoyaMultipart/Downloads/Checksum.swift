import Foundation
import MoyaCore
import MoyaInternals

/// Expected digest of a file.
///
/// ```swift
/// let checksum = try Checksum.sha256(
///     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
/// ```
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
    /// Hash function, identified by its name in RFC 9530.
    public enum Algorithm: String, Sendable, CaseIterable {
        /// SHA-256: digests of 32 bytes.
        case sha256 = "sha-256"
        /// SHA-512: digests of 64 bytes.
        case sha512 = "sha-512"

        var byteCount: Int { self == .sha256 ? 32 : 64 }
        var function: Digester.Function { self == .sha256 ? .sha256 : .sha512 }
    }

    /// Hash function of the digest.
    public let algorithm: Algorithm
    /// Bytes of the digest.
    public let digest: Data

    /// Creates a checksum from the bytes of a digest.
    ///
    /// - Throws: ``DownloadError`` if the number of bytes does not match the algorithm.
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

    /// Creates a SHA-256 checksum from hexadecimal digits, as `sha256sum` prints them.
    ///
    /// - Throws: ``DownloadError`` for invalid digits or a wrong number of digits.
    public static func sha256(_ hex: String) throws -> Checksum {
        try Checksum(.sha256, digest: bytes(hex))
    }

    /// Creates a SHA-512 checksum from hexadecimal digits.
    ///
    /// - Throws: ``DownloadError`` for invalid digits or a wrong number of digits.
    public static func sha512(_ hex: String) throws -> Checksum {
        try Checksum(.sha512, digest: bytes(hex))
    }

    /// Computes the checksum of a file, which is read in pieces. Blocks the calling thread.
    ///
    /// - Throws: An error of reading the file; `CancellationError` if the task is cancelled.
    public init(_ algorithm: Algorithm, of file: URL) throws {
        try self.init(algorithm, of: file) { try Task.checkCancellation() }
    }

    /// Computes the checksum of a file. Calls `check` before each piece is read, and rethrows its
    /// error.
    init(_ algorithm: Algorithm, of file: URL, before check: () throws -> Void) throws {
        self.algorithm = algorithm
        digest = try Digester.digest(algorithm.function, ofFile: file, checking: check)
    }

    /// Name of the algorithm and hexadecimal digits.
    public var description: String {
        "\(algorithm.rawValue) " + Hexadecimal.encode(digest)
    }

    private static func bytes(_ hex: String) throws(DownloadError) -> Data {
        let digits = hex.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count == hex.utf8.count, digits.count % 2 == 0 else {
            throw DownloadError(
                .invalidChecksum,
                "\(String(hex.prefix(200)).debugDescription) is not a checksum. Pass an even "
                    + "number of hexadecimal digits, without spaces and file name.")
        }
        return Data(
            stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}

extension Checksum {
    /// Parses a field of RFC 9530 and takes its strongest supported digest. `nil` if the field has
    /// none.
    init?(field: String?) {
        guard let field else { return nil }
        // Base64 contains neither commas nor semicolons.
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
    /// Returns the SHA-256 digest of `text` in hexadecimal digits. It replaces texts that may
    /// contain secrets or are too long for a file name.
    static func sha256(of text: String) -> String {
        Hexadecimal.encode(digest(.sha256, of: Data(text.utf8)))
    }
}
