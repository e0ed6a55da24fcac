import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#elseif Crypto
    import Crypto
#endif

/// Computes a digest incrementally: with CryptoKit if available, otherwise with swift-crypto if the
/// package trait `Crypto` is enabled, otherwise with this module's implementations. SHA-512/256 is
/// always computed by this module.
public struct Digester {
    /// A hash function.
    public enum Function: Sendable {
        /// MD5 (RFC 1321), for protocols that require it.
        case md5
        /// SHA-256 (FIPS 180-4), 32 bytes.
        case sha256
        /// SHA-512 (FIPS 180-4), 64 bytes.
        case sha512
        /// SHA-512/256 (FIPS 180-4), 32 bytes.
        case sha512_256
    }

    private var hash: any IncrementalHash

    /// Creates a digester for an empty message.
    public init(_ function: Function) {
        #if canImport(CryptoKit) || Crypto
            switch function {
            case .md5: hash = LibraryHash<Insecure.MD5>()
            case .sha256: hash = LibraryHash<SHA256>()
            case .sha512: hash = LibraryHash<SHA512>()
            case .sha512_256: hash = SHA512_256()
            }
        #else
            switch function {
            case .md5: hash = BlockHash<MD5Blocks>()
            case .sha256: hash = BlockHash<SHA256Blocks>()
            case .sha512: hash = BlockHash<SHA512Blocks>()
            case .sha512_256: hash = SHA512_256()
            }
        #endif
    }

    /// Adds `data` to the message.
    public mutating func update(_ data: Data) {
        hash.update(data)
    }

    /// Returns the digest of the data so far.
    public func finalize() -> Data {
        hash.finalize()
    }
}

extension Digester {
    /// Returns the digest of `data`.
    public static func digest(_ function: Function, of data: Data) -> Data {
        var digester = Digester(function)
        digester.update(data)
        return digester.finalize()
    }

    /// Returns the digest of a file, which is read in chunks of 256 KiB.
    ///
    /// - Parameter check: Called before each chunk. An error ends the computation.
    /// - Throws: The errors of reading the file and of `check`.
    public static func digest(
        _ function: Function, ofFile url: URL, checking check: () throws -> Void
    ) throws -> Data {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var digester = Digester(function)
        while true {
            try check()
            guard let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty else { break }
            digester.update(piece)
        }
        return digester.finalize()
    }

    /// Returns the HMAC-SHA-256 of `data` (RFC 2104).
    public static func hmacSHA256(of data: Data, key: Data) -> Data {
        let blockSize = 64
        var key = key.count > blockSize ? digest(.sha256, of: key) : key
        key += Data(count: blockSize - key.count)
        let inner = digest(.sha256, of: Data(key.map { $0 ^ 0x36 }) + data)
        return digest(.sha256, of: Data(key.map { $0 ^ 0x5C }) + inner)
    }
}

/// An incremental hash function.
protocol IncrementalHash {
    mutating func update(_ data: Data)
    func finalize() -> Data
}

#if canImport(CryptoKit) || Crypto
    private struct LibraryHash<Function: HashFunction>: IncrementalHash {
        private var function = Function()

        mutating func update(_ data: Data) { function.update(data: data) }
        func finalize() -> Data { Data(function.finalize()) }
    }
#endif
