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
        ///
        /// - Parameter check: Called before each piece. What it throws ends the reading.
        static func sha256(ofFile url: URL, checking check: () throws -> Void) throws -> Data {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            var hash = SHA256()
            while true {
                try check()
                guard let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty else { break }
                hash.update(data: piece)
            }
            return Data(hash.finalize())
        }

        static func hmacSHA256(_ data: Data, key: Data) -> Data {
            Data(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
        }
    }
#endif
