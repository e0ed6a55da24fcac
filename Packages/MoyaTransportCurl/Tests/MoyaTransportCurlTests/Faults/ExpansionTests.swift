import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportConformance
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compressed bodies that expand to 256 MiB, with slow readers. In child processes, to measure
/// their memory.
@Suite(.timeLimit(.minutes(3))) struct ExpansionTests {
    private static let size = 256 << 20

    private static func serve(
        _ coding: String, _ body: Data, _ ends: Counter
    ) throws -> RawServer {
        try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
                    + "Content-Length: \(body.count)\r\n\r\n")
            connection.write(body)
            connection.waitForClient()
            ends.next()
        }
    }

    private static func open(
        _ server: RawServer, _ transport: CurlTransport
    ) async throws -> ResponseBodyStream {
        let response = try await transport.send(
            TransportRequest(.patient(server.url), destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        return stream
    }

    @Test func `a reader that stops pauses a compressed body, and cancelling ends the transfer`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            guard case .data(let body) = MockResponse.compressedZeros(Self.size).body else {
                throw NoDataError()
            }
            let ends = Counter()
            let server = try Self.serve("deflate", body, ends)
            var configuration = CurlTransport.Configuration()
            configuration.threads = 1
            let transport = try CurlTransport(configuration: configuration)
            let before = TransportConformance.Footprint.current().residentKiB
            let stream = try await Self.open(server, transport)
            var reader = stream.makeAsyncIterator()
            #expect(try await reader.next()?.isEmpty == false)
            let loop = try transport.firstLoop()
            try await until {
                try await loop.perform { driver in
                    driver.handles.active.allSatisfy { $0.attempt?.paused == .receiving }
                }
            }
            // 16 KiB expand to 16 MiB, and are copied when there is room.
            let after = TransportConformance.Footprint.current().residentKiB
            #expect(after - before < 64 << 10)
            stream.cancel()
            try await until { ends.count > 0 }
            let error = await #expect(throws: URLError.self) {
                while try await reader.next() != nil {}
            }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `a slow reader receives a whole deflate body in bounded memory`() async throws {
        await #expect(processExitsWith: .success) {
            guard case .data(let body) = MockResponse.compressedZeros(Self.size).body else {
                throw NoDataError()
            }
            let server = try Self.serve("deflate", body, Counter())
            let transport = CurlTransport()
            let before = TransportConformance.Footprint.current().residentKiB
            var (count, most) = (0, 0)
            for try await piece in try await Self.open(server, transport) {
                count += piece.count
                most = max(most, TransportConformance.Footprint.current().residentKiB - before)
            }
            #expect(count == Self.size)
            #expect(most < 96 << 10)
        }
    }

    /// 256 MiB of zeros, in blocks of four bytes that repeat one byte (RFC 8878, section 3.1.1.2).
    private static func zeros(inBlocksOf count: Int) -> Data {
        let head = 0x2 | count << 3
        let block = [UInt8(head & 0xFF), UInt8(head >> 8 & 0xFF), UInt8(head >> 16), 0]
        let blocks = repeatElement(block, count: size / count).joined()
        // The last block is empty.
        return Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x38]) + Data(blocks) + [1, 0, 0]
    }

    /// 4 KiB of these bodies expand to 128 MiB and 32 MiB.
    @Test(
        .requires(.zstd, .zstandardLibrary),
        arguments: [128, 32])
    func `a slow reader receives a whole zstd body in bounded memory`(kibibytes: Int)
        async throws
    {
        await #expect(processExitsWith: .success) { [kibibytes] in
            let server = try Self.serve("zstd", Self.zeros(inBlocksOf: kibibytes << 10), Counter())
            let transport = CurlTransport()
            let before = TransportConformance.Footprint.current().residentKiB
            var (count, most) = (0, 0)
            for try await piece in try await Self.open(server, transport) {
                count += piece.count
                most = max(most, TransportConformance.Footprint.current().residentKiB - before)
            }
            #expect(count == Self.size)
            #expect(most < 96 << 10)
        }
    }
}
