import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaLayers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Examples in the documentation of S3: `sigv4-streaming.html`, `sigv4-query-string-auth.html`.
@Suite struct AWSExampleTests {
    /// Signs at 2013-05-24T00:00:00Z.
    private let signer = AWSSigner(
        service: "s3", region: "us-east-1",
        clock: TestClock(start: Date(timeIntervalSince1970: 1_369_353_600))
    ) {
        AWSCredentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    }

    /// A body of 65 KiB, in pieces that do not match the chunks.
    private let body = RequestBodyStream(length: 66_560) {
        AsyncStream { pieces in
            for _ in 0..<65 { pieces.yield(Data(repeating: UInt8(ascii: "a"), count: 1024)) }
            pieces.finish()
        }
    }

    @Test func `a body that is signed in chunks equals the example of S3`() async throws {
        let signed = try await signer.sign(
            .test(
                "PUT", "https://s3.amazonaws.com/examplebucket/chunkObject.txt",
                headers: [
                    "x-amz-storage-class": "REDUCED_REDUNDANCY", "Content-Length": "66560",
                ], body: .stream(body)))
        #expect(
            signed.value(for: "Authorization")
                == "AWS4-HMAC-SHA256 "
                + "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=content-encoding;content-length;host;x-amz-content-sha256;"
                + "x-amz-date;x-amz-decoded-content-length;x-amz-storage-class, "
                + "Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9")
        #expect(signed.value(for: "Content-Length") == "66824")
        #expect(signed.value(for: "Content-Encoding") == "aws-chunked")
        guard case .stream(let stream) = signed.body else {
            Issue.record("The body is no stream.")
            return
        }
        #expect(stream.length == 66_824)
        let a = { String(repeating: "a", count: $0) }
        let expected = [
            "10000;chunk-signature="
                + "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n"
                + "\(a(65_536))\r\n",
            "400;chunk-signature="
                + "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n"
                + "\(a(1024))\r\n",
            "0;chunk-signature="
                + "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n",
        ]
        // Twice, as after a redirect.
        for _ in 0..<2 {
            var chunks: [String] = []
            for try await chunk in try stream.makeChunks() {
                chunks.append(String(decoding: chunk, as: UTF8.self))
            }
            #expect(chunks == expected)
        }
    }

    @Test func `a presigned URL equals the example of S3`() async throws {
        let presigned = try await signer.presignedURL(
            for: URLRequest(url: url("https://examplebucket.s3.amazonaws.com/test.txt")),
            expiresIn: 86_400)
        #expect(
            presigned.absoluteString
                == "https://examplebucket.s3.amazonaws.com/test.txt"
                + "?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2F"
                + "aws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400"
                + "&X-Amz-SignedHeaders=host&X-Amz-Signature="
                + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
        // A URL that is presigned once more has one signature.
        let again = try await signer.presignedURL(
            for: URLRequest(url: presigned), expiresIn: 86_400)
        #expect(again == presigned)
        let shown = Redaction.default.redact(url: presigned)
        #expect(!shown.contains("aeeed9bb") && !shown.contains("AKIAIOSFODNN7EXAMPLE"))
    }

    @Test(arguments: [0, -1, 604_801, .nan, .infinity] as [TimeInterval])
    func `a lifetime that S3 does not allow is refused`(lifetime: TimeInterval) async {
        let request = URLRequest(url: url("https://examplebucket.s3.amazonaws.com/test.txt"))
        let error = await thrown {
            try await signer.presignedURL(for: request, expiresIn: lifetime)
        }
        #expect(error as? AWSSigningError == .invalidLifetime)
    }

    @Test func `a coding of a streamed body follows the coding of its chunks`() async throws {
        let signed = try await signer.sign(
            .test("PUT", headers: ["Content-Encoding": "gzip"], body: .stream(body)))
        #expect(signed.value(for: "Content-Encoding") == "aws-chunked,gzip")
        #expect(signed.value(for: "Content-Length") == nil)
    }

    @Test(arguments: [(66_559, 66_560), (66_561, 66_560)])
    func `a streamed body of another length than announced is not sent as valid`(
        announced: Int64, size: Int
    ) async throws {
        let body = RequestBodyStream(length: announced) {
            AsyncStream { pieces in
                pieces.yield(Data(count: size))
                pieces.finish()
            }
        }
        let signed = try await signer.sign(.test("PUT", body: .stream(body)))
        guard case .stream(let stream) = signed.body else {
            Issue.record("The body is no stream.")
            return
        }
        let code = await urlErrorCode {
            for try await _ in try stream.makeChunks() {}
        }
        #expect(code == .requestBodyStreamExhausted)
    }

    @Test func `a streamed body that can be sent once is signed and can be sent once`()
        async throws
    {
        let pieces = AsyncStream { pieces in
            pieces.yield(Data("a".utf8))
            pieces.finish()
        }
        let signed = try await signer.sign(
            .test("PUT", body: .stream(RequestBodyStream(length: 1, once: pieces))))
        #expect(!signed.body.isReplayable)
    }

    @Test(arguments: [nil, -1, Int64.max])
    func `a streamed body of unknown length is refused`(length: Int64?) async throws {
        let body = RequestBodyStream(length: length) { AsyncStream<Data> { $0.finish() } }
        let code = await urlErrorCode {
            try await signer.sign(.test("PUT", body: .stream(body)))
        }
        #expect(code == .cannotDecodeRawData)
    }
}
