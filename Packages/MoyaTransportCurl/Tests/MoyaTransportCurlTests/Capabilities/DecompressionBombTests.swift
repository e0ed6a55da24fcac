import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies whose content codings expand a few kilobytes to gigabytes.
@Suite(.timeLimit(.minutes(2))) struct DecompressionBombTests {
    private func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        return try CurlTransport(configuration: configuration)
    }

    private func server(of bomb: Data, codings count: Int) throws -> MockServer {
        let coding = Array(repeating: "gzip", count: count).joined(separator: ", ")
        return try MockServer { request in
            guard request.path == "/bomb" else { return .text("x") }
            return MockResponse(body: .data(bomb)).adding("Content-Encoding", coding)
        }
    }

    @Test
    func `a body that expands to 4 GiB does not hold up other requests, and can be cancelled`()
        async throws
    {
        let server = try server(of: GzipBomb.ofZeros(256), codings: 2)
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let transport = try transport()
        let bomb = TransportRequest(
            .patient(server.url.appendingPathComponent("bomb")), destination: .file(folder.file()))
        let bombing = Task { try await transport.send(bomb) }
        _ = try await server.waitForRequests(1)
        for _ in 0..<3 {
            let other = try await transport.send(TransportRequest(.patient(server.url)))
            #expect(other.head.statusCode == 200)
        }
        bombing.cancel()
        let error = await #expect(throws: URLError.self) { try await bombing.value }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: ["memory", "file", "stream"])
    func `a body that expands to nothing is an error`(destination: String) async throws {
        let server = try server(of: GzipBomb.ofNothing(4096), codings: 3)
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let destinations: [String: ResponseDestination] = [
            "memory": .memory(), "file": .file(folder.file()), "stream": .stream,
        ]
        let request = TransportRequest(
            .patient(server.url.appendingPathComponent("bomb")),
            destination: try #require(destinations[destination]))
        let transport = try transport()
        let error = await #expect(throws: URLError.self) {
            _ = try await transport.send(request).stream?.collect(upTo: 100)
        }
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.localizedDescription.contains("decodes to nothing") == true)
    }

    /// Between the codings lie 16 MiB, and the memory limit is 1 MiB.
    @Test func `the limit of a body in memory limits the data between codings`() async throws {
        let server = try server(of: GzipBomb.ofNothing(1), codings: 3)
        defer { server.stop() }
        let request = TransportRequest(
            .patient(server.url.appendingPathComponent("bomb")),
            destination: .memory(limit: 1 << 20))
        let error = await #expect(throws: URLError.self) {
            try await self.transport().send(request)
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test func `at most 4 MiB are decoded at a time, in calls of any number`() throws {
        let body = GzipBomb.member(GzipBomb.member(Data(count: 16 << 20)))
        let decoding = try BodyDecoding(["gzip", "gzip"], limit: nil, url: nil)
        var (sizes, size) = ([Int](), 0)
        let isWhole = try body.withUnsafeBytes { piece in
            for time in 0..<10 as Range<UInt64> {
                let before = size
                var outcome = BodyDecoding.Outcome.interrupted
                for _ in 0..<2 where outcome == .interrupted {
                    outcome = try decoding.decode(piece, at: time) { bytes in
                        size += bytes.count
                        return true
                    }
                }
                sizes.append(size - before)
                if case .used = outcome { return true }
            }
            return false
        }
        #expect(isWhole)
        #expect(size == 16 << 20)
        #expect(sizes.allSatisfy { $0 <= 4 << 20 }, "\(sizes)")
        #expect(sizes.count >= 4)
        try decoding.finish()
    }
}
