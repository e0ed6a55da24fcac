import CMoyaCurl
import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Content codings of responses, and the decompression limit.
@Suite struct DecompressionTests {
    /// "hello" in each format, stored without compression.
    private static let gzip: [UInt8] =
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
        + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
    private static let brotli: [UInt8] = [0x40, 0, 0x10] + Array("hello".utf8) + [3]
    private static let zstd: [UInt8] =
        [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8)
    /// The gzip data above in Brotli: 28 bytes, stored.
    private static let brotliOfGzip: [UInt8] = [0xB0, 0x01, 0x10] + gzip + [3]

    private func transport(limit: Int64? = nil) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.maxDecompressedSize = limit
        return try CurlTransport(configuration: configuration)
    }

    @Test func `gzip bodies are decoded, and deflate is offered`() async throws {
        try await expectHello(Self.gzip, "gzip")
        #expect(try await offered().contains("deflate"))
    }

    @Test(.requires(.brotli))
    func `brotli bodies are decoded, alone and chained with gzip`() async throws {
        try await expectHello(Self.brotli, "br")
        try await expectHello(Self.brotliOfGzip, "gzip, br")
    }

    @Test(.requires(.zstd))
    func `zstd bodies are decoded`() async throws {
        try await expectHello(Self.zstd, "zstd")
    }

    /// Servers do not send codings that are not offered.
    @Test func `Accept-Encoding offers brotli and zstd only if libcurl supports them`() async throws
    {
        let offered = try await offered()
        #expect(offered.contains("br") == Requirement.hasFeature(CURL_VERSION_BROTLI))
        #expect(offered.contains("zstd") == Requirement.hasFeature(CURL_VERSION_ZSTD))
    }

    private func expectHello(_ bytes: [UInt8], _ chain: String) async throws {
        let server = try MockServer { _ in
            MockResponse(body: .data(Data(bytes))).adding("Content-Encoding", chain)
        }
        defer { server.stop() }
        let response = try await transport().send(TransportRequest(URLRequest(url: server.url)))
        #expect(try response.text == "hello")
        let offered = try codings(ofRequestTo: server)
        for coding in chain.split(separator: ",") {
            #expect(offered.contains(coding.trimmingCharacters(in: .whitespaces)))
        }
    }

    private func offered() async throws -> [String] {
        let server = try MockServer()
        defer { server.stop() }
        _ = try await transport().send(TransportRequest(URLRequest(url: server.url)))
        return try codings(ofRequestTo: server)
    }

    private func codings(ofRequestTo server: MockServer) throws -> [String] {
        try #require(server.requests.first?.value(for: "Accept-Encoding"))
            .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(arguments: [1_000_000, 100_000_000])
    func `The decompression limit applies to files and streams`(count: Int) async throws {
        let server = try MockServer { _ in .compressedZeros(count) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.file()
        let transport = try transport(limit: 1 << 20)
        for destination in [ResponseDestination.file(file), .stream] {
            let request = TransportRequest(
                URLRequest(url: server.url), destination: destination)
            let size = await Result.catching {
                let response = try await transport.send(request)
                guard case .stream(let stream) = response.body else {
                    return try Data(contentsOf: file).count
                }
                var size = 0
                for try await piece in stream { size += piece.count }
                return size
            }
            if count < 1 << 20 {
                #expect(try size.get() == count)
            } else {
                let error = #expect(throws: URLError.self) { try size.get() }
                #expect(error?.code == .dataLengthExceedsMaximum)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    @Test(arguments: [
        ("AWS-Chunked", "AWS-Chunked"), ("gzip, utf-8", "utf-8"), ("none, x, y", "x"),
        ("a" + String(repeating: "b", count: 5000), "abbb"), ("\u{1B}[2J", "[2J"),
    ]) func `An unknown content coding is named in the error, with a hint at Accept-Encoding`(
        chain: String, coding: String
    ) async throws {
        let server = try MockServer { _ in
            .text("5\r\nhello").adding("Content-Encoding", chain)
        }
        defer { server.stop() }
        let transport = try transport()
        for destination in [ResponseDestination.memory(), .stream] {
            let request = TransportRequest(URLRequest(url: server.url), destination: destination)
            let error = await #expect(throws: URLError.self) {
                _ = try await transport.send(request).stream?.collect(upTo: 100)
            }
            #expect(error?.code == .cannotDecodeContentData)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("\"\(coding)") && text.contains("Accept-Encoding"), "\(text)")
            #expect(text.utf8.count < 300)
        }
        var urlRequest = URLRequest(url: server.url)
        urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        let response = try await transport.send(TransportRequest(urlRequest))
        #expect(try response.text == "5\r\nhello")
    }

    /// The codings are in one field or several.
    @Test(arguments: [[5], [6], [2, 2], [3, 3], [20]])
    func `A chain of more than five content codings is an error`(lengths: [Int]) async throws {
        let count = lengths.reduce(0, +)
        let body = (0..<count).reduce(Data("hello".utf8)) { body, _ in Self.gzip(body) }
        let fields = lengths.map {
            HeaderField(
                name: "Content-Encoding",
                value: Array(repeating: "gzip", count: $0).joined(separator: ", "))
        }
        let server = try MockServer { _ in MockResponse(headers: fields, body: .data(body)) }
        defer { server.stop() }
        let transport = try transport()
        let result = await Result.catching {
            try await transport.send(TransportRequest(.patient(server.url))).text
        }
        if count <= 5 {
            #expect(try result.get() == "hello")
        } else {
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .cannotDecodeContentData)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("5 content encodings"), "\(text)")
        }
    }

    @Test func `the decompression limit of gzip is exact`() async throws {
        try await expectExactLimit("gzip", Self.gzip)
        try await expectExactLimit("gzip, gzip") { Self.gzip(Self.gzip($0)) }
    }

    @Test(.requires(.brotli)) func `the decompression limit of brotli is exact`() async throws {
        try await expectExactLimit("br", Self.brotli)
    }

    @Test(.requires(.zstd)) func `the decompression limit of zstd is exact`() async throws {
        try await expectExactLimit("zstd") { Self.zstd(repeating: 0x61, $0.count) }
    }

    /// Expects that a body of the limit's size is decoded, and one more byte is an error.
    private func expectExactLimit(
        _ coding: String, _ encode: (Data) -> Data
    ) async throws {
        let size = 100_000
        let transport = try transport(limit: Int64(size))
        for excess in [0, 1] {
            let text = Data(repeating: 0x61, count: size + excess)
            let body = encode(text)
            let server = try MockServer { _ in
                MockResponse(body: .data(body)).adding("Content-Encoding", coding)
            }
            defer { server.stop() }
            let result = await Result.catching {
                try await transport.send(TransportRequest(.patient(server.url))).body.bytes()
            }
            if excess == 0 {
                #expect(try result.get() == text, "\(coding)")
            } else {
                let error = #expect(throws: URLError.self) { try result.get() }
                #expect(error?.code == .dataLengthExceedsMaximum, "\(coding)")
            }
        }
    }

    @Test func `A body that does not match its Content-Encoding is a decoding error`() async throws
    {
        let server = try MockServer { _ in .text("hello").adding("Content-Encoding", "gzip") }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await transport().send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.localizedDescription.contains("unknown") == false)
    }

    /// The server compresses every response for clients that accept gzip.
    @Test func `A range request asks for identity coding unless it sets Accept-Encoding`()
        async throws
    {
        let text = Data("a text of many parts".utf8)
        let server = try MockServer { request in
            let response = MockResponse.ranged(text, for: request)
            let takesGzip = request.value(for: "Accept-Encoding")?.contains("gzip") == true
            guard takesGzip,
                case .data(let whole) = MockResponse(body: .data(text))
                    .compressed(.gzip).body
            else { return response }
            return MockResponse.ranged(whole, for: request).adding("Content-Encoding", "gzip")
        }
        defer { server.stop() }
        // Sequential requests, so that each may reuse the handle of the one before.
        let transport = try transport()
        for range in ["bytes=2-5", nil, "bytes=7-8"] {
            var urlRequest = URLRequest(url: server.url)
            urlRequest.setValue(range, forHTTPHeaderField: "range")
            let response = try await transport.send(TransportRequest(urlRequest))
            #expect(response.head.statusCode == (range == nil ? 200 : 206))
            let expected =
                range == nil ? "a text of many parts" : range == "bytes=2-5" ? "text" : "of"
            #expect(try response.text == expected)
        }
        var own = URLRequest(url: server.url)
        own.setValue("bytes=0-1", forHTTPHeaderField: "Range")
        own.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        let response = try await transport.send(TransportRequest(own))
        #expect(try response.body.bytes() == Data([0x1F, 0x8B]))
        let offers = server.requests.map { $0.value(for: "Accept-Encoding") ?? "" }
        #expect([offers[0], offers[2], offers[3]] == ["identity", "identity", "gzip"])
        #expect(offers[1].contains("gzip"))
    }

    @Test func `The decompression limit does not apply to bodies that are not decompressed`()
        async throws
    {
        let server = try MockServer { _ in
            MockResponse(body: .data(Data(count: 1000))).adding("Content-Encoding", "deflate")
        }
        defer { server.stop() }
        var urlRequest = URLRequest(url: server.url)
        urlRequest.setValue("deflate", forHTTPHeaderField: "Accept-Encoding")
        let response = try await transport(limit: 10).send(TransportRequest(urlRequest))
        #expect(try response.text.utf8.count == 1000)
        let plain = try MockServer { _ in MockResponse(body: .data(Data(count: 1000))) }
        defer { plain.stop() }
        let request = TransportRequest(URLRequest(url: plain.url))
        #expect(try await transport(limit: 10).send(request).head.statusCode == 200)
    }
}
