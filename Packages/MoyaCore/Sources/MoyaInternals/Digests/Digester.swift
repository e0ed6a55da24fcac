import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#elseif Crypto
    import Crypto
#endif

/// Computes a digest while bytes come in: with CryptoKit where the system has it, with swift-crypto where the package trait
/// `Crypto` is on, and with the functions beside this file where neither is.
public struct Digester {
    /// A hash function.
    public enum Function: Sendable {
        /// RFC 1321, for protocols that ask for it by name.
        case md5
        /// FIPS 180-4: 32 bytes.
        case sha256
        /// FIPS 180-4: 64 bytes.
        case sha512
    }

    private var hash: any IncrementalHash

    public init(_ function: Function) {
        #if canImport(CryptoKit) || Crypto
            switch function {
            case .md5: hash = LibraryHash<Insecure.MD5>()
            case .sha256: hash = LibraryHash<SHA256>()
            case .sha512: hash = LibraryHash<SHA512>()
            }
        #else
            switch function {
            case .md5: hash = BlockHash<MD5Blocks>()
            case .sha256: hash = BlockHash<SHA256Blocks>()
            case .sha512: hash = BlockHash<SHA512Blocks>()
            }
        #endif
    }

    /// Takes in more bytes.
    public mutating func update(_ data: Data) {
        hash.update(data)
    }

    /// The digest of what has come in so far.
    public func finalize() -> Data {
        hash.finalize()
    }
}

extension Digester {
    /// The digest of `data`.
    public static func digest(_ function: Function, of data: Data) -> Data {
        var digester = Digester(function)
        digester.update(data)
        return digester.finalize()
    }

    /// The digest of a file, which is read piece by piece.
    ///
    /// - Parameter check: Called before each piece. What it throws ends the reading.
    /// - Throws: What reading the file fails with; what `check` throws.
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

    /// The message authentication code of `data` by SHA-256 (RFC 2104).
    public static func hmacSHA256(of data: Data, key: Data) -> Data {
        let blockSize = 64
        var key = key.count > blockSize ? digest(.sha256, of: key) : key
        key += Data(count: blockSize - key.count)
        let inner = digest(.sha256, of: Data(key.map { $0 ^ 0x36 }) + data)
        return digest(.sha256, of: Data(key.map { $0 ^ 0x5C }) + inner)
    }
}

/// A hash function at work.
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
