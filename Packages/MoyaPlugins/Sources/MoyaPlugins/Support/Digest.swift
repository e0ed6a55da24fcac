#if canImport(CryptoKit) || Crypto
    import Foundation

    #if canImport(CryptoKit)
        import CryptoKit
    #else
        import Crypto
    #endif

    /// The two digests that signing needs, out of the system's library or swift-crypto.
    enum Digest {
        static func sha256(_ data: Data) -> Data {
            Data(SHA256.hash(data: data))
        }

        /// The digest of a file, read piece by piece.
        static func sha256(ofFile url: URL) throws -> Data {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            var hash = SHA256()
            while let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty {
                hash.update(data: piece)
            }
            return Data(hash.finalize())
        }

        static func hmacSHA256(_ data: Data, key: Data) -> Data {
            Data(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
        }
    }
#endif
