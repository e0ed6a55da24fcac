import Foundation
import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compressed bodies: which are understood, and what they may expand to.
@Suite struct DecompressionTests {
    /// "hello", stored by each format without compressing it.
    private static let gzip: [UInt8] =
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
        + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
    private static let brotli: [UInt8] = [0x40, 0, 0x10] + Array("hello".utf8) + [3]
    private static let zstd: [UInt8] =
        [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8)
    /// Brotli of the gzip above: 28 bytes, stored.
    private static let brotliOfGzip: [UInt8] = [0xB0, 0x01, 0x10] + gzip + [3]

    private func transport(limit: Int64? = nil) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.maxDecompressedSize = limit
        return try CurlTransport(configuration: configuration)
    }

    @Test(arguments: [
        ("gzip", gzip), ("br", brotli), ("zstd", zstd), ("gzip, br", brotliOfGzip),
    ])
    func `Each coding that is offered is understood, and chains of them`(
        codings: String, bytes: [UInt8]
    ) async throws {
        let server = try MockServer { _ in
            MockResponse(body: .data(Data(bytes))).adding("Content-Encoding", codings)
        }
        defer { server.stop() }
        let response = try await transport().send(TransportRequest(URLRequest(url: server.url)))
        let offered = try #require(server.requests.first?.value(for: "Accept-Encoding"))
            .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(offered.contains("gzip") && offered.contains("deflate"))
        // libcurl may be built without the others.
        let known = codings.split(separator: ",").allSatisfy {
            offered.contains($0.trimmingCharacters(in: .whitespaces))
        }
        if known { #expect(try response.text == "hello") }
    }

    @Test(arguments: [1_000_000, 100_000_000])
    func `The bound counts for files and streams too`(count: Int) async throws {
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
                guard case .stream(let stream) = response.body else { return count }
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

    /// RFC 9112, section 7.2.
    @Test(arguments: ["deflate", "deflate, chunked"])
    func `The bound counts for what was compressed on the way`(coding: String) async throws {
        guard case .data(let zeros) = MockResponse.compressedZeros(100_000_000).body else {
            throw IssueError("There are no zeros.")
        }
        let isChunked = coding.hasSuffix("chunked")
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n")
            if isChunked { connection.write(String(zeros.count, radix: 16) + "\r\n") }
            connection.write(zeros)
            if isChunked { connection.write("\r\n0\r\n\r\n") }
        }
        defer { server.stop() }
        let transport = try transport(limit: 1 << 20)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(URLRequest(url: server.url)))
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test func `The bound leaves alone what is not decompressed`() async throws {
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
