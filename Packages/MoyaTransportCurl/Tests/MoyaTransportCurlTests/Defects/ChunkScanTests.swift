import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses with invalid chunks (RFC 9112, section 7.1).
@Suite(.seeded, .timeLimit(.minutes(3))) struct ChunkScanTests {
    @Test(arguments: [
        "FFFFFFFFFFFFFFFFFF\r\nhi", "2\r\nhiXX\r\n0\r\n\r\n", "-2\r\nhi\r\n0\r\n\r\n",
    ])
    func `malformed chunks fail as a lost connection`(chunks: String) async throws {
        let server = try serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .networkConnectionLost)
    }

    /// RFC 9112, section 8. Go and Python fail as well.
    @Test(arguments: ["0\r\n\r", "0\r\nA: b\r\n\r", "0\r\n", "0"])
    func `a chunked body with a truncated last chunk fails as a lost connection`(end: String)
        async throws
    {
        let generator = SeededGenerator()
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        let server = try RawServer.inPieces(generator) { path in
            Data("\(head)2\r\nhi\r\n\(path == "whole" ? "0\r\n\r\n" : end)".utf8)
        }
        defer { server.stop() }
        func body(_ path: String, _ destination: ResponseDestination) async throws -> Data {
            let request = URLRequest.patient(server.url.appendingPathComponent(path))
            let response = try await CurlTransport().send(
                TransportRequest(request, destination: destination))
            guard case .stream(let stream) = response.body else { return try response.body.bytes() }
            return try await stream.collect(upTo: 100)
        }
        for destination in [ResponseDestination.memory(), .stream] {
            #expect(try await body("whole", destination) == Data("hi".utf8))
            let error = await #expect(throws: URLError.self) { try await body("", destination) }
            #expect(error?.code == .networkConnectionLost)
        }
    }
}
