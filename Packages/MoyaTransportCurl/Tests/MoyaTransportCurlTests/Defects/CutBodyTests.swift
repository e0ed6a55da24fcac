import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Truncated content codings, and bytes after their end (RFC 9110, section 8.4).
@Suite(.seeded, .timeLimit(.minutes(3))) struct CutBodyTests {
    private func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        return try CurlTransport(configuration: configuration)
    }

    /// The response body for `path`.
    private func fetch(
        _ path: String = "", from server: RawServer, over transport: CurlTransport,
        to destination: ResponseDestination = .memory()
    ) async throws -> Data {
        let url = server.url.appendingPathComponent(path)
        let request = TransportRequest(.patient(url), destination: destination)
        switch try await transport.send(request).body {
        case .data(let data): return data
        case .file(let file): return try Data(contentsOf: file)
        case .stream(let stream): return try await stream.collect(upTo: 1 << 20)
        }
    }

    /// libcurl's own decoding accepts each of these as complete. Python raises `EOFError`, Go
    /// returns `io.ErrUnexpectedEOF`.
    @Test(arguments: [EncodedText.gzip, .deflate, .rawDeflate])
    func `encoded data cut off at any point are an error`(encoded: EncodedText) async throws {
        try await expectErrors(ofCutsIn: encoded)
    }

    @Test(.requires(.brotli)) func `brotli data cut off at any point are an error`() async throws {
        try await expectErrors(ofCutsIn: .brotli)
    }

    @Test(.requires(.zstd, .zstandardLibrary))
    func `zstd data cut off at any point are an error`() async throws {
        try await expectErrors(ofCutsIn: .zstandard)
    }

    private func expectErrors(ofCutsIn encoded: EncodedText) async throws {
        var generator = SeededGenerator()
        let transport = try transport()
        let folder = try TemporaryFolder()
        for end in BodyEnd.allCases {
            let server = try RawServer.inPieces(generator) { path in
                end.response(
                    "Content-Encoding: \(encoded.coding)\r\n",
                    encoded.data.prefix(Int(path) ?? 0))
            }
            defer { server.stop() }
            let whole = encoded.data.count
            #expect(
                try await fetch("\(whole)", from: server, over: transport) == EncodedText.text)
            // Every cut with a known length, where a request is cheap. The last bytes are
            // checksums.
            let cuts =
                end == .length
                ? Array(1..<whole) : (0..<20).map { _ in .random(in: 1..<whole, using: &generator) }
            for cut in cuts {
                let file = folder.file()
                let destination: ResponseDestination =
                    [.memory(), .file(file), .stream].randomElement(using: &generator) ?? .stream
                let error = await #expect(throws: URLError.self, "\(end), \(cut) bytes") {
                    try await fetch("\(cut)", from: server, over: transport, to: destination)
                }
                #expect(error?.code == .cannotDecodeContentData)
                #expect(error?.localizedDescription.contains("breaks off") == true)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    /// RFC 1952, section 2.2. Python and Go decode the members as one body.
    @Test(arguments: [2, 3, 50]) func `several gzip members are decoded as one body`(count: Int)
        async throws
    {
        let generator = SeededGenerator()
        let members = Data((0..<count).map { _ in EncodedText.gzip.data }.joined())
        let server = try RawServer.inPieces(generator) { path in
            BodyEnd.chunks.response(
                "Content-Encoding: gzip\r\n", members.dropLast(Int(path) ?? 0))
        }
        defer { server.stop() }
        let transport = try transport()
        let text = Data((0..<count).map { _ in EncodedText.text }.joined())
        #expect(try await fetch("0", from: server, over: transport) == text)
        for cut in [1, 8, 9, 160, EncodedText.gzip.data.count - 1] {
            let error = await #expect(throws: URLError.self) {
                try await fetch("\(cut)", from: server, over: transport)
            }
            #expect(error?.code == .cannotDecodeContentData)
        }
    }

    /// libcurl rejects these as well, except for up to four bytes after raw deflate.
    @Test(arguments: [EncodedText.gzip, .deflate])
    func `bytes after the end of encoded data are an error`(encoded: EncodedText) async throws {
        try await expectErrors(ofBytesAfter: encoded)
    }

    @Test(.requires(.brotli)) func `bytes after the end of brotli are an error`() async throws {
        try await expectErrors(ofBytesAfter: .brotli)
    }

    private func expectErrors(ofBytesAfter encoded: EncodedText) async throws {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { path in
            BodyEnd.length.response(
                "Content-Encoding: \(encoded.coding)\r\n", encoded.data + Data(path.utf8))
        }
        defer { server.stop() }
        let transport = try transport()
        for excess in ["x", "excess", String(repeating: "y", count: 10_000)] {
            let error = await #expect(throws: URLError.self) {
                try await fetch(excess, from: server, over: transport)
            }
            #expect(error?.code == .cannotDecodeContentData)
        }
    }

    /// Some servers append zlib's checksum without zlib's header.
    @Test(arguments: [0, 4, 5]) func `raw deflate data may be followed by up to four bytes`(
        count: Int
    )
        async throws
    {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { _ in
            BodyEnd.length.response(
                "Content-Encoding: deflate\r\n", EncodedText.rawDeflate.data + Data(count: count))
        }
        defer { server.stop() }
        let result = await Result.catching {
            try await fetch(from: server, over: transport())
        }
        if count <= 4 {
            #expect(try result.get() == EncodedText.text)
        } else {
            #expect(throws: URLError.self) { try result.get() }
        }
    }

    @Test func `a wrong gzip checksum or length is an error`() async throws {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { path in
            var data = EncodedText.gzip.data
            // CRC32 and ISIZE (RFC 1952, section 2.3.1).
            data[data.count - (Int(path) ?? 1)] ^= 0x10
            return BodyEnd.length.response("Content-Encoding: gzip\r\n", data)
        }
        defer { server.stop() }
        let transport = try transport()
        for place in 1...8 {
            let error = await #expect(throws: URLError.self) {
                try await fetch("\(place)", from: server, over: transport)
            }
            #expect(error?.code == .cannotDecodeContentData)
        }
    }

    /// There is nothing to decode, as for curl, Go and browsers.
    @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, gzip", "unheard-of"])
    func `an empty body is delivered empty, whatever its Content-Encoding`(coding: String)
        async throws
    {
        let generator = SeededGenerator()
        let transport = try transport()
        for end in BodyEnd.allCases {
            let server = try RawServer.inPieces(generator) { _ in
                end.response("Content-Encoding: \(coding)\r\n", Data())
            }
            defer { server.stop() }
            #expect(try await fetch(from: server, over: transport).isEmpty)
        }
    }

    /// RFC 9110, section 6.4.1.
    @Test(arguments: [("HEAD", "200 OK"), ("GET", "304 Not Modified"), ("GET", "204 No Content")])
    func `a response without a body may have a Content-Encoding`(method: String, status: String)
        async throws
    {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { _ in
            Data("HTTP/1.1 \(status)\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n".utf8)
        }
        defer { server.stop() }
        var request = URLRequest.patient(server.url)
        request.httpMethod = method
        let response = try await transport().send(TransportRequest(request))
        #expect(status.hasPrefix("\(response.head.statusCode)"))
        #expect(try response.body.bytes().isEmpty)
    }

    /// RFC 9110, sections 5.6.1 and 8.4.1; RFC 9112, section 5.2, for folded fields.
    @Test(arguments: [
        "X-GZip", "GZIP", "identity, gzip", "gzip, identity", ",, gzip ,\t,", "\tgzip", "none,gzip",
        "\r\n gzip", ",\r\n\tgzip,\r\n identity",
    ]) func `content coding names are understood in every spelling`(coding: String) async throws {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { _ in
            BodyEnd.length.response(
                "A: b\r\nContent-Encoding: \(coding)\r\n", EncodedText.gzip.data)
        }
        defer { server.stop() }
        #expect(try await fetch(from: server, over: transport()) == EncodedText.text)
    }

    /// The last coding is decoded first.
    @Test(arguments: ["deflate, gzip", "deflate\r\nContent-Encoding: gzip", "gzip, gzip"])
    func `each coding of a chain must be complete`(chain: String) async throws {
        let generator = SeededGenerator()
        let inner = chain.hasPrefix("gzip") ? EncodedText.gzip.data : EncodedText.deflate.data
        let server = try RawServer.inPieces(generator) { path in
            let body = DecompressionTests.gzip(inner.dropLast(path == "cut" ? 1 : 0))
            return BodyEnd.length.response("Content-Encoding: \(chain)\r\n", body)
        }
        defer { server.stop() }
        let transport = try transport()
        #expect(try await fetch(from: server, over: transport) == EncodedText.text)
        let error = await #expect(throws: URLError.self) {
            try await fetch("cut", from: server, over: transport)
        }
        #expect(error?.code == .cannotDecodeContentData)
    }

    /// The gzip members' trailer and header yield no bytes in 23 pieces. The zstd library fails
    /// after 16 calls without progress.
    @Test(.requires(.zstandardLibrary))
    func `zstd within two gzip members that arrive byte by byte is decoded`() throws {
        let zstd = EncodedText.zstandard.data
        let members = [zstd.prefix(zstd.count / 2), zstd.dropFirst(zstd.count / 2)]
        let decoding = try BodyDecoding(["zstd", "gzip"], limit: nil, url: nil)
        var text = Data()
        for byte in members.map({ DecompressionTests.gzip(Data($0)) }).joined() {
            let outcome = try withUnsafeBytes(of: byte) { piece in
                try decoding.decode(piece, at: 0) { bytes in
                    text += bytes
                    return true
                }
            }
            #expect(outcome == .used)
        }
        try decoding.finish()
        #expect(text == EncodedText.text)
    }

    /// The window is limited to 8 MiB, as RFC 9659, section 3, requires.
    @Test func `a zstd body with a window of 16 MiB is an error`() async throws {
        let server = try MockServer { _ in
            // A frame with one block that repeats a byte 1,000 times (RFC 8878, section 3.1.1).
            let frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x70, 0x43, 0x1F, 0, 0x61])
            return MockResponse(body: .data(frame)).adding("Content-Encoding", "zstd")
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await transport().send(TransportRequest(.patient(server.url)))
        }
        #expect(error?.code == .cannotDecodeContentData)
    }

    /// RFC 9110, section 10.1.4: a server must not send a transfer coding that the request did not
    /// ask for.
    @Test(arguments: ["gzip", "gzip, chunked", "deflate", "chunked, gzip", "unheard-of"])
    func `an unrequested transfer coding is an error`(coding: String) async throws {
        let generator = SeededGenerator()
        let server = try RawServer.inPieces(generator) { _ in
            BodyEnd.close.response("Transfer-Encoding: \(coding)\r\n", EncodedText.gzip.data)
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await fetch(from: server, over: transport())
        }
        #expect(error?.code == .badServerResponse)
        #expect(error?.localizedDescription.contains("Transfer-Encoding") == true)
    }
}
