import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses that reach the client in several reads.
@Suite(.seeded) struct PieceTests {
    /// Expected status, value of the field `X`, and body of a response.
    private struct Expected: Equatable {
        let status: Int
        let field: String?
        let body: String
    }

    private func send(
        to server: RawServer, _ destination: ResponseDestination,
        over transport: FoundationTransport
    ) async throws -> Expected {
        let response = try await transport.send(
            TransportRequest(URLRequest(url: server.url), destination: destination))
        let data =
            switch response.body {
            case .data(let data): data
            case .stream(let stream): try await stream.collect(upTo: 1 << 20)
            case .file: Data()
            }
        return Expected(
            status: response.head.statusCode, field: response.head.value(for: "X"),
            body: String(decoding: data, as: UTF8.self))
    }

    @Test func `A response whose head arrives in two reads is received whole`() async throws {
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                connection.write("HTTP/1.1 200 OK\r\nX: y\r\n")
                usleep(2_000)
                connection.write("Content-Length: 5\r\n\r\nhello")
            }
        }
        defer { server.stop() }
        let transport = FoundationTransport()
        for destination in [ResponseDestination.memory(), .stream, .memory()] {
            let response = try await send(to: server, destination, over: transport)
            #expect(response == Expected(status: 200, field: "y", body: "hello"))
        }
    }

    private static let messages: [(bytes: String, status: Int, field: String?, body: String)] = [
        ("HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\nhello", 200, "y", "hello"),
        ("HTTP/1.1 200 OK\r\nX: y\r\n z\r\nContent-Length: 0\r\n\r\n", 200, "y z", ""),
        (
            "HTTP/1.1 103 Early Hints\r\nX: n\r\n\r\nHTTP/1.1 404 No\r\nX: y\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
            404,
            "y", "hello world"
        ),
        ("HTTP/1.1 204 No Content\r\nX: y\r\n\r\n", 204, "y", ""),
        ("HTTP/1.1 302 Found\r\nX: y\r\nContent-Length: 2\r\n\r\nhi", 302, "y", ""),
        (
            "HTTP/1.1 401 No\r\nX: y\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
                + "Content-Length: 2\r\n\r\nhi", 401, "y", "hi"
        ),
    ]

    /// Returns random lengths of pieces: single bytes, the whole message, or lengths in between.
    private static func pieces(of count: Int, _ random: inout SeededGenerator) -> [Int] {
        let longest = [1, 3, 17, count].randomElement(using: &random) ?? count
        var (lengths, left) = ([Int](), count)
        while left > 0 {
            let length = min(left, Int.random(in: 1...longest, using: &random))
            lengths.append(length)
            left -= length
        }
        return lengths
    }

    // All requests share one transport, so its connections are reused.
    @Test(arguments: 1...8)
    func `A response that arrives in random pieces is received whole`(seed: Int) async throws {
        let random = Locked(SeededGenerator(case: seed))
        let next = Locked(0)
        let server = try RawServer { connection in
            while !connection.read(until: "\r\n\r\n").isEmpty {
                let bytes = Data(Self.messages[next.withLock { $0 }].bytes.utf8)
                var offset = 0
                for length in random.withLock({ Self.pieces(of: bytes.count, &$0) }) {
                    connection.write(bytes[offset..<(offset + length)])
                    offset += length
                    let pause = random.withLock { UInt32.random(in: 0...8, using: &$0) }
                    if pause > 5 { usleep((pause - 5) * 1_000) }
                }
            }
        }
        defer { server.stop() }
        let transport = FoundationTransport()
        for (index, message) in Self.messages.enumerated() {
            next.withLock { $0 = index }
            for destination in [ResponseDestination.memory(), .stream] {
                let response = try await send(to: server, destination, over: transport)
                // URLSession on Linux loses the body of a redirect without a Location.
                let isLost = message.status == 302
                let expected = Expected(
                    status: message.status, field: message.field,
                    body: isLost ? response.body : message.body)
                #expect(response == expected, "case \(seed), message \(index)")
            }
        }
    }
}
