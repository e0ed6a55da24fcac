import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects with a long body, which is not needed (RFC 9110, section 15.4).
@Suite(.timeLimit(.minutes(3))) struct LongRedirectTests {
    private static let size = 256 << 20

    /// A server whose `/` redirects to `/next` with a body of 256 MiB. Counts the MiB that it has
    /// written.
    private func serve(_ written: Counter, fields: String = "") throws -> RawServer {
        try RawServer { connection in
            while true {
                let head = connection.read(until: "\r\n\r\n")
                guard !head.isEmpty else { return }
                guard head.starts(with: Data("GET / ".utf8)) else {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
                    continue
                }
                connection.write(
                    "HTTP/1.1 302 Found\r\nLocation: /next\r\n\(fields)"
                        + "Content-Length: \(Self.size)\r\n\r\n")
                let piece = Data(repeating: 0, count: 1 << 20)
                for _ in 0..<Self.size >> 20 {
                    guard connection.write(piece) else { return }
                    written.next()
                }
            }
        }
    }

    @Test(arguments: [0, 1, 2]) func `the long body of a followed redirect is not read`(kind: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        let written = Counter()
        let server = try serve(written)
        defer { server.stop() }
        let destination: ResponseDestination =
            [.memory(), .file(folder.file()), .stream][kind]
        let response = try await CurlTransport().send(
            TransportRequest(.patient(server.url), destination: destination))
        #expect(response.head.statusCode == 200)
        #expect(response.metrics.redirectCount == 1)
        let body =
            switch response.body {
            case .data(let data): data
            case .file(let file): try Data(contentsOf: file)
            case .stream(let stream): try await stream.collect(upTo: 100)
            }
        #expect(body == Data("hi".utf8))
        // The socket buffers on both sides, and a margin.
        #expect(written.count < 24)
    }

    /// A `modify` handler may return the redirect as the response.
    @Test func `the long body of a redirect that is not followed is read`() async throws {
        let written = Counter()
        let server = try serve(written)
        defer { server.stop() }
        for policy in [RedirectPolicy.refuse, .modify { _, _ in nil }] {
            let response = try await CurlTransport().send(
                TransportRequest(.patient(server.url), redirectPolicy: policy))
            #expect(response.head.statusCode == 302)
            #expect(try response.body.bytes().count == Self.size)
        }
    }
}
