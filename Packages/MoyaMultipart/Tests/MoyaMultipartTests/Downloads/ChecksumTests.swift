import Foundation
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

@Suite struct ChecksumTests {
    // Examples of FIPS 180-4, and digests from coreutils for lengths around the end of a block.
    static let vectors: [(message: Data, sha256: String, sha512: String)] = [
        (
            Data(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            Data("abc".utf8),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            Data("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
                + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
        ),
        (
            Data(repeating: 0xA5, count: 55),
            "26ee0116778740a66fe2ba10ea063748b27306acc99188ec812746d4e8d70083",
            "de8fe21e66d52987538a45e5b13ddb7c1feab2bc219ec13aef399df468284178"
                + "69d5ae97e93b520da15dd42e256ef358f12d2556634eeae2246b6cf39d3ab1ac"
        ),
        (
            Data(repeating: 0xA5, count: 56),
            "4cf71e2b0aa0fcc0c271f68353026a77b8e50153632a8e4a73833cd64080e92e",
            "c432853c11820c77adab2de0e8f2a9495a1f8b64b850b7b94dc0ae5a85b753c5"
                + "d1a1f4b8f93e577afbe6573fb0e5812c31b9c5bd0cd22382d6c9ae0dc52e64cd"
        ),
        (
            Data(repeating: 0xA5, count: 63),
            "a1942663a5b8b93dffc9c4ff5f62c71a1c021d1fcc1e470dd46172abace1bca5",
            "04beb8ebb336e09035195b5b4cbb0010b1d6ec3bb6f96de9c717d1078989adde"
                + "4a36388c0cd00a7e93bc3facab3dd305243fa09907e0e5bf8debf1aa3439e35a"
        ),
        (
            Data(repeating: 0xA5, count: 64),
            "bb626e5577021df95ea17eb6339e75904855b80087e40660931c4a89b302f74a",
            "51c79188a7aec2d6f6f2bfbc5f4b05a7e601a3224d64e628e4b96ba363c8dd01"
                + "23fdf4e23eabbb48f542baa1508a3c05d099a307f7523f3e80669a6e566de981"
        ),
        (
            Data(repeating: 0xA5, count: 65),
            "667f84020d981fcedce2816e4e9969a02d5c317a0aef56a6c588175820f82a81",
            "53c8b5fac073be87223c83862d757dc68ad8f32c7226741e9d4d9a4979499af9"
                + "bb118ea4e9508dbe8de33e211d65ff6333e0503b26a4987d433070d1a7ca8785"
        ),
        (
            Data(repeating: 0xA5, count: 111),
            "783fd3d89d413930628eb7b94391f7b3a4edae4d55baa0308e09dbe316fdc18e",
            "7e243415d4b225ddf687968cc1bea6563b138e4c41a45fc6d326b9eb019329fa"
                + "2bfb5c3cde64032d4b4f906509b6ba810d243302d28987987e8c36ec12af7e59"
        ),
        (
            Data(repeating: 0xA5, count: 112),
            "e5a5f600f00f0ba0ddb812289e8156a7e62cc2e4fc698486f2eca3fdaf8dcfb0",
            "dc227c6ddbedd9e0f8f74623c542d48affeae00cc991109d8b8f53a8cbc563e0"
                + "588823e42f1a4d3a6048e2fa61b24c5108768a7a9465ed02a5726f0068aa1566"
        ),
        (
            Data(repeating: 0xA5, count: 119),
            "d4f197a1127980fe239c189bab09428d00de243c790ea7cad66f03928d992c89",
            "9ef0070aca4cf113ab3077f44d59ec1ad05e57532d0dc235603be2ec515bce6c"
                + "95620ec27e40c2cbec693e9ec06f267b996dc2cced4f87ccbc54b06d6d8e12d1"
        ),
        (
            Data(repeating: 0xA5, count: 127),
            "bcc0ed0d968974b0fcba8a5fa9eef960a0c50803f14a65ea06fba1ed4b6f75f2",
            "b9c376cefdbdc05fdbb030f0b3a90a08422d16bcfdb9000877b499a95b06ea1a"
                + "245d908e582e768d8477f8203c121297c4ccda8e3651e0dda6fe0bc948f3ee20"
        ),
        (
            Data(repeating: 0xA5, count: 128),
            "39557315215be0f6922cec45d29336c8f72198032cababdc5ec0672d45e894ad",
            "1cd2659b031e8a279f8888ec96a79d5bf570189c301bef9270358815587d80ad"
                + "95b59b2e707f5bf7619b2eb7f99faaaf3a18cda9d62a38463c7e8a2fdada8a58"
        ),
        (
            Data(repeating: 0xA5, count: 129),
            "0d4df645e098e323828009a90258def0ec1a596a54fe023e76a1bc05992eba61",
            "49b3090cd8c826d1aacc4250f0961bc771f9ce89b8d1c5b8c3799105b69594a9"
                + "3f0fb2e6746ac7aaa03dad92862a8c5632193ccb2f1bafaa550fa47b1fdf0a25"
        ),
    ]

    @Test(arguments: vectors)
    func `SHA-256 and SHA-512 digests match the standard's examples`(
        message: Data, sha256: String, sha512: String
    ) throws {
        for (algorithm, hex) in [(Checksum.Algorithm.sha256, sha256), (.sha512, sha512)] {
            var digester = Digester(algorithm.function)
            digester.update(message)
            #expect(digester.finalize().map { String(format: "%02x", $0) }.joined() == hex)
        }
    }

    @Test func `the digest of a million bytes does not depend on the size of the pieces`() throws {
        var (digester, pieces) = (Digester(.sha256), Data(repeating: 0x61, count: 1_000_000)[...])
        var size = 1
        while !pieces.isEmpty {
            digester.update(Data(pieces.prefix(size)))
            pieces = pieces.dropFirst(size)
            size = size * 3 % 100_003
        }
        #expect(
            try Checksum(.sha256, digest: digester.finalize())
                == .sha256("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
    }

    @Test func `a file's checksum is the digest of its bytes, and a missing file is an error`()
        throws
    {
        let folder = try TemporaryFolder()
        let checksum = try Checksum(.sha256, of: folder.file("abc", Data("abc".utf8)))
        #expect(
            checksum.description
                == "sha-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try checksum == .sha256(String(checksum.description.dropFirst(8)).uppercased()))
        let missing = folder.url.appendingPathComponent("missing")
        #expect(throws: (any Error).self) { try Checksum(.sha256, of: missing) }
    }

    @Test func `computing a file's checksum can be cancelled between pieces`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("zeros", Data(count: 3 * Chunk.size))
        var count = 0
        #expect(throws: CancellationError.self) {
            _ = try Checksum(.sha256, of: file) {
                count += 1
                if count == 2 { throw CancellationError() }
            }
        }
        #expect(count == 2)
    }

    @Test(arguments: ["", "ab", "zz", "+1", String(repeating: "a", count: 63)])
    func `an invalid digest is an error`(hex: String) {
        let error = #expect(throws: DownloadError.self) { try Checksum.sha256(hex) }
        #expect(error?.reason == .invalidChecksum)
    }

    static let abc = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    static let fields: [(String?, String?)] = [
        (nil, nil), ("", nil), ("sha-256", nil), ("sha-256=abc", nil), ("md5=:\(abc):", nil),
        ("sha-256=:AAAA:", nil), ("sha-256=:\(abc):", abc),
        (" md5=:AA==:,  sha-256=:\(abc):;x=1", abc),
        ("sha-512=:broken:, sha-256=:\(abc):", abc), ("SHA-256=:\(abc):", nil),
    ]

    @Test(arguments: fields)
    func `a digest field of RFC 9530 is parsed`(field: String?, digest: String?) {
        #expect(Checksum(field: field)?.digest.base64EncodedString() == digest)
    }
}
