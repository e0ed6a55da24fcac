import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A published AWS test vector for Signature Version 4, with its published name.
struct AWSVector: Sendable, CustomTestStringConvertible {
    var name: String
    var method = "GET"
    var path = "/"
    var headers: [String: String] = [:]
    var body: String?
    var normalizes = true
    var sessionToken: String?
    /// Signature in the `Authorization` field.
    let signature: String
    /// Signature in the query.
    let presigned: String

    var testDescription: String { name }
}

private let unreserved =
    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
private let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
private let vanillaPost = "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"

/// All 38 published vectors.
private let vectors: [AWSVector] = [
    AWSVector(
        name: "get-vanilla", signature: vanilla,
        presigned: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
    AWSVector(
        name: "get-header-key-duplicate", headers: ["My-Header1": "value2,value2,value1"],
        signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
        presigned: "3349ee0b81b4b589da0ff28a395c3591e04de515651dd74f298fa992d1507a97"),
    // The published value has obsolete line folding, which is replaced by spaces (RFC 9112, section
    // 5.2).
    AWSVector(
        name: "get-header-value-multiline",
        headers: ["My-Header1": "value1   value2      value3"],
        signature: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd",
        presigned: "e6f5def831211aca02987a44b96826706278c7bc078112ae0263659c5b2f2d56"),
    AWSVector(
        name: "get-header-value-order", headers: ["My-Header1": "value4,value1,value3,value2"],
        signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01",
        presigned: "313720e71ca6202fdcfa9b20f88de01a4eb0638a83c833b1c184359a4eda864e"),
    AWSVector(
        name: "get-header-value-trim",
        headers: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
        signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
        presigned: "e7bb0fd515e125e1aec2ecc4c0c17484fb06f6846b927c35e46005dd3df3acd4"),
    AWSVector(
        name: "get-relative-normalized", path: "/example/..", signature: vanilla,
        presigned: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
    AWSVector(
        name: "get-relative-relative-normalized", path: "/example1/example2/../..",
        signature: vanilla,
        presigned: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
    AWSVector(
        name: "get-relative-relative-unnormalized", path: "/example1/example2/../..",
        normalizes: false,
        signature: "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b",
        presigned: "b45db0bfd1cf15003493b733e33aa208dd981bd0e63037a6ed953f71d2118a16"),
    AWSVector(
        name: "get-relative-unnormalized", path: "/example/..", normalizes: false,
        signature: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282",
        presigned: "cbcb213b928a077e43275df47b500f1dfaa864ab3f5a18f6b95f4ff0938167ee"),
    AWSVector(
        name: "get-slash-dot-slash-normalized", path: "/./", signature: vanilla,
        presigned: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
    AWSVector(
        name: "get-slash-dot-slash-unnormalized", path: "/./", normalizes: false,
        signature: "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145",
        presigned: "a9b13e8f3484d9505bf1a6f347219f8f35b0fe8f128ceea597efc146a3dfe90c"),
    AWSVector(
        name: "get-slash-normalized", path: "//", signature: vanilla,
        presigned: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
    AWSVector(
        name: "get-slash-unnormalized", path: "//", normalizes: false,
        signature: "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e",
        presigned: "b2a9542809db687769200f56a844a03f2bd0291d6eb90232d5101c6a579446cd"),
    AWSVector(
        name: "get-slash-pointless-dot-normalized", path: "/./example",
        signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5",
        presigned: "35034b1a0bdd969f346975386daf8aedfd4976573b8348cf4f67eaa41c5857de"),
    AWSVector(
        name: "get-slash-pointless-dot-unnormalized", path: "/./example", normalizes: false,
        signature: "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff",
        presigned: "72b11f16d9530b18204bfb71f2d6ab085894c0ed8d352730a6e76234c58b5e10"),
    AWSVector(
        name: "get-slashes-normalized", path: "//example//",
        signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84",
        presigned: "c1834e8fb0307243711f0f907f6ab7311ed300d87f13792d7ee4da89ab93e082"),
    AWSVector(
        name: "get-slashes-unnormalized", path: "//example//", normalizes: false,
        signature: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5",
        presigned: "822a5a9ba28072c5ab2bb4a6307d0c88276d40e49fec6b724c03fb4d4ba60fc2"),
    AWSVector(
        name: "get-space-normalized", path: "/example%20space/",
        signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
        presigned: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"),
    AWSVector(
        name: "get-space-unnormalized", path: "/example%20space/", normalizes: false,
        signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
        presigned: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"),
    AWSVector(
        name: "get-unreserved", path: "/\(unreserved)",
        signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
        presigned: "95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005"),
    AWSVector(
        name: "get-utf8", path: "/%E1%88%B4",
        signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
        presigned: "10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44"),
    AWSVector(
        name: "get-vanilla-empty-query-key", path: "/?Param1=value1",
        signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
        presigned: "49096700cbbaa5753443850f40df10f904fc2fdb544dc9512203cc77c471a9de"),
    AWSVector(
        name: "get-vanilla-query-order-encoded",
        path: "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
        signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac",
        presigned: "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787"),
    AWSVector(
        name: "get-vanilla-query-order-key-case", path: "/?Param2=value2&Param1=value1",
        signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        presigned: "86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5"),
    AWSVector(
        name: "get-vanilla-query-unreserved", path: "/?\(unreserved)=\(unreserved)",
        signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
        presigned: "8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf"),
    AWSVector(
        name: "get-vanilla-query", signature: vanilla,
        presigned: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
    AWSVector(
        name: "get-vanilla-utf8-query", path: "/?%E1%88%B4=bar",
        signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
        presigned: "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600"),
    AWSVector(
        name: "get-vanilla-with-session-token",
        sessionToken: "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267",
        signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8",
        presigned: "7ff2b50b376cb4d151970630573d6291dc128cc5c2a12ffb237f73cc53f67b6c"),
    AWSVector(
        name: "post-vanilla", method: "POST", signature: vanillaPost,
        presigned: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"),
    AWSVector(
        name: "post-header-key-case", method: "POST", signature: vanillaPost,
        presigned: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"),
    AWSVector(
        name: "post-header-key-sort", method: "POST", headers: ["My-Header1": "value1"],
        signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
        presigned: "c09d07e0d55871f10f2a6d350d994acf6825a3cae70673d7def55616e6119dd7"),
    AWSVector(
        name: "post-header-value-case", method: "POST", headers: ["My-Header1": "VALUE1"],
        signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
        presigned: "0698bc9e4f7f9139065ba2909c0e99da257e8e2a42492a097bcd46d792391fed"),
    // A session token added after signing is not part of the signature.
    AWSVector(
        name: "post-sts-header-after", method: "POST", signature: vanillaPost,
        presigned: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"),
    AWSVector(
        name: "post-sts-header-before", method: "POST",
        sessionToken:
            "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicR"
            + "XmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsb"
            + "urEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0i"
            + "PPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
        signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
        presigned: "46c2e3c63c1dbe7d39f8ada16fe7f001c1f56c5791441565323677f96308871c"),
    AWSVector(
        name: "post-vanilla-empty-query-value", method: "POST", path: "/?Param1=value1",
        signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
        presigned: "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"),
    AWSVector(
        name: "post-vanilla-query", method: "POST", path: "/?Param1=value1",
        signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
        presigned: "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"),
    AWSVector(
        name: "post-x-www-form-urlencoded", method: "POST",
        headers: [
            "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "13",
        ],
        body: "Param1=value1",
        signature: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
        presigned: "89a40deed0f26f9461242825a082d2222717248abc7ab41f552ad84a94ad46e9"),
    AWSVector(
        name: "post-x-www-form-urlencoded-parameters", method: "POST",
        headers: [
            "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
            "Content-Length": "13",
        ],
        body: "Param1=value1",
        signature: "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422",
        presigned: "0dbeb9b026c7b6675f266b8427efec9b4fa8b1f6ef1477d717aea231106eab4d"),
]

@Suite struct AWSSignerTests {
    /// Clock at 2015-08-30T12:36:00Z.
    private let clock = TestClock(start: Date(timeIntervalSince1970: 1_440_938_160))

    private func signer(
        service: String = "service", sessionToken: String? = nil
    ) -> AWSSigner {
        AWSSigner(service: service, region: "us-east-1", clock: clock) {
            AWSCredentials(
                accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                sessionToken: sessionToken)
        }
    }

    private func signer(for vector: AWSVector) -> AWSSigner {
        var signer = signer(sessionToken: vector.sessionToken)
        signer.normalizesPath = vector.normalizes
        // The vectors' paths are not percent-encoded.
        signer.escapesPathTwice = false
        signer.sendsBodyDigest = vector.body != nil
        return signer
    }

    @Test(arguments: vectors)
    func `AWSSigner signs the published AWS test vectors`(vector: AWSVector) async throws {
        let request = TransportRequest.test(
            vector.method, "https://example.amazonaws.com\(vector.path)",
            headers: vector.headers, body: vector.body.map { .data(Data($0.utf8)) } ?? .none)
        let signed = try await signer(for: vector).sign(request)
        let proof = try #require(signed.value(for: "Authorization"))
        #expect(proof.hasSuffix("Signature=\(vector.signature)"))
        #expect(
            proof.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
                    + "aws4_request, SignedHeaders="))
        #expect(signed.value(for: "X-Amz-Date") == "20150830T123600Z")
    }

    @Test(arguments: vectors)
    func `AWSSigner presigns the published AWS test vectors`(vector: AWSVector) async throws {
        var request = TransportRequest.test(
            vector.method, "https://example.amazonaws.com\(vector.path)", headers: vector.headers
        ).urlRequest
        request.httpBody = vector.body.map { Data($0.utf8) }
        let url = try await signer(for: vector).presignedURL(for: request, expiresIn: 3600)
        #expect(url.absoluteString.hasSuffix("&X-Amz-Signature=\(vector.presigned)"))
    }

    @Test func `AWSSigner signs a signed request with an equal signature`() async throws {
        let once = try await signer().sign(.test())
        let twice = try await signer().sign(once)
        #expect(once.urlRequest.allHTTPHeaderFields == twice.urlRequest.allHTTPHeaderFields)
    }

    @Test(arguments: [
        ("/a%20b", "/a%2520b", "/a%20b"),
        ("/functions/arn:aws:x", "/functions/arn%3Aaws%3Ax", "/functions/arn%3Aaws%3Ax"),
        ("/a@b+c=d", "/a%40b%2Bc%3Dd", "/a%40b%2Bc%3Dd"),
        ("/a%3Ab", "/a%253Ab", "/a%3Ab"),
    ])
    func `AWSSigner escapes the canonical path once more if escapesPathTwice is true`(
        sent: String, most: String, s3: String
    ) {
        func path(twice: Bool) -> String {
            let address = url("https://h.test\(sent)")
            let canonical = AWSCanonicalRequest(
                URLRequest(url: address), url: address, host: "h.test", bodyDigest: "",
                normalizesPath: true, escapesPathTwice: twice)
            return String(canonical.text.split(separator: "\n")[1])
        }
        #expect(path(twice: true) == most)
        #expect(path(twice: false) == s3)
    }

    @Test func `AWSSigner signs the port of the host unless it is the scheme's default`()
        async throws
    {
        let signatures = Recorder<String?>()
        for address in ["http://h.test", "http://h.test:80", "http://h.test:8080"] {
            let signed = try await signer().sign(.test("GET", address))
            signatures.record(signed.value(for: "Authorization"))
        }
        #expect(signatures.items[0] == signatures.items[1])
        #expect(signatures.items[0] != signatures.items[2])
    }

    @Test func `the SHA-256 digest of a file body equals the digest of the file's bytes`()
        throws
    {
        let folder = try TemporaryFolder()
        let bytes = Data(repeating: 7, count: 600_000)
        let file = try folder.file("seven", bytes)
        #expect(try RequestBody.file(file).sha256() == RequestBody.data(bytes).sha256())
        #expect(
            Hexadecimal.encode(try RequestBody.none.sha256())
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(throws: (any Error).self) { try RequestBody.file(url("file:///no")).sha256() }
    }

    @Test func `AWSSigner sends S3 the body digest, or UNSIGNED-PAYLOAD without signsBody`()
        async throws
    {
        var signer = signer(service: "s3")
        let signed = try await signer.sign(.test("PUT", body: .data(Data("x".utf8))))
        #expect(
            signed.value(for: "X-Amz-Content-Sha256")
                == "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")
        signer.signsBody = false
        let unsigned = try await signer.sign(.test("PUT"))
        #expect(unsigned.value(for: "X-Amz-Content-Sha256") == "UNSIGNED-PAYLOAD")
    }

    @Test func `AWSSigner sends UNSIGNED-PAYLOAD to any service without signsBody`()
        async throws
    {
        var signer = signer(service: "es")
        signer.signsBody = false
        let unsigned = try await signer.sign(.test("PUT", body: .data(Data("x".utf8))))
        #expect(unsigned.value(for: "X-Amz-Content-Sha256") == "UNSIGNED-PAYLOAD")
        signer.signsBody = true
        #expect(try await signer.sign(.test()).value(for: "X-Amz-Content-Sha256") == nil)
    }

    @Test func `AWSSigner stops reading a file body when the task is cancelled`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("seven", Data(repeating: 7, count: 600_000))
        let signer = signer()
        let signing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await urlErrorCode { try await signer.sign(.test(body: .file(file))) }
        }
        #expect(await signing.value == .cancelled)
    }

    @Test func `printed AWS credentials show no secret`() {
        let credentials = AWSCredentials(
            accessKeyID: "AK", secretAccessKey: "hush-1", sessionToken: "hush-2")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!"\(credentials) \([credentials]) \(dumped)".contains("hush"))
    }
}
