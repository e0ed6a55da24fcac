import Foundation
import Testing

@testable import MoyaTransportFoundation

@Suite struct MessageDigestTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
        #expect(hex(MessageDigest.md5(text.utf8)) == expected)
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
        #expect(hex(MessageDigest.sha256(text.utf8)) == expected)
    }

    @Test func `A message of 100,000 bytes is hashed completely by MD5 and SHA-256`() {
        let message = repeatElement(UInt8(ascii: "a"), count: 100_000)
        #expect(
            hex(MessageDigest.sha256(message))
                == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
        #expect(hex(MessageDigest.md5(message)) == "1af6d6f2f682f76f80e606aeaaee1680")
    }
}
