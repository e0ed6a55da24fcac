import Foundation
import Testing

@testable import MoyaInternals

@Suite struct DigesterTests {
    private func hex(_ function: Digester.Function, _ message: some Sequence<UInt8>) -> String {
        Hexadecimal.encode(Digester.digest(function, of: Data(message)))
    }

    private static let digits = String(repeating: "1234567890", count: 8)
    private static let letters = "abcdefghijklmnopqrstuvwxyz"

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (letters, "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            letters.uppercased() + letters + "0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (digits, "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `MD5 matches the examples of RFC 1321`(text: String, expected: String) {
        #expect(hex(.md5, text.utf8) == expected)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `SHA-256 matches the examples of FIPS 180-4`(text: String, expected: String) {
        #expect(hex(.sha256, text.utf8) == expected)
    }

    // Python: hashlib.new("sha512_256", text).hexdigest()
    @Test(arguments: [
        ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        ),
    ])
    func `SHA-512/256 matches Python's hashlib`(text: String, expected: String) {
        #expect(hex(.sha512_256, text.utf8) == expected)
    }

    @Test func `A message of 100,000 bytes is hashed completely by MD5 and SHA-256`() {
        let message = repeatElement(UInt8(ascii: "a"), count: 100_000)
        #expect(
            hex(.sha256, message)
                == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
        #expect(hex(.md5, message) == "1af6d6f2f682f76f80e606aeaaee1680")
    }

    @Test(
        arguments: [Digester.Function.md5, .sha256, .sha512, .sha512_256],
        [1, 63, 64, 65, 127, 128, 129])
    func `The digest of data in chunks equals the digest of the complete data`(
        function: Digester.Function, size: Int
    ) {
        let whole = Data((0..<300).map { UInt8($0 % 251) })
        var digester = Digester(function)
        for start in stride(from: 0, to: whole.count, by: size) {
            digester.update(whole[start..<min(start + size, whole.count)])
        }
        #expect(digester.finalize() == Digester.digest(function, of: whole))
    }

    @Test(arguments: 0...300)
    func `The digests of BlockHash equal the digests of the cryptography library`(count: Int) {
        func digest(_ hash: any IncrementalHash) -> Data {
            var hash = hash
            hash.update(message)
            return hash.finalize()
        }
        let message = Data((0..<count).map { UInt8($0 % 251) })
        #expect(digest(BlockHash<MD5Blocks>()) == Digester.digest(.md5, of: message))
        #expect(digest(BlockHash<SHA256Blocks>()) == Digester.digest(.sha256, of: message))
        #expect(digest(BlockHash<SHA512Blocks>()) == Digester.digest(.sha512, of: message))
    }

    @Test(arguments: [
        (
            Data(repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Data("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Data(repeating: 0xAA, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `HMAC with SHA-256 matches the examples of RFC 4231`(
        key: Data, text: String, expected: String
    ) {
        #expect(
            Hexadecimal.encode(Digester.hmacSHA256(of: Data(text.utf8), key: key)) == expected)
    }
}
