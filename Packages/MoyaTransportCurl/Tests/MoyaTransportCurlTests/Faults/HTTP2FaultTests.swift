import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Faulty HTTP/2 servers (RFC 9113), frame by frame.
@Suite struct HTTP2FaultTests {
    enum Frame {
        static let settings = frame(4, 0, 0, [])
        static let settingsAcknowledged = frame(4, 1, 0, [])
        /// `:status: 200` from the static table, END_HEADERS.
        static func head(_ stream: UInt32, endsStream: Bool = false) -> Data {
            frame(1, endsStream ? 5 : 4, stream, [0x88])
        }
        /// `:status` and `content-length`, END_HEADERS.
        static func head(_ stream: UInt32, _ status: String, length: Int) -> Data {
            let digits = Array("\(length)".utf8)
            return frame(
                1, 4, stream,
                Self.code(status) + [0x0F, 0x0D, UInt8(digits.count)] + digits)
        }
        /// `:status: 200`, without END_HEADERS.
        static func openHead(_ stream: UInt32) -> Data {
            frame(1, 0, stream, [0x88])
        }
        /// A trailer field, END_STREAM, without END_HEADERS.
        static func openTrailers(_ stream: UInt32) -> Data {
            frame(1, 1, stream, field)
        }
        /// 1,000 fields, without END_HEADERS.
        static func continuation(_ stream: UInt32) -> Data {
            frame(9, 0, stream, (0..<1000).flatMap { _ in field })
        }
        /// `:status: 103`, END_HEADERS.
        static func hints(_ stream: UInt32) -> Data {
            frame(1, 4, stream, code("103"))
        }
        static func data(_ stream: UInt32, _ text: String, endsStream: Bool) -> Data {
            frame(0, endsStream ? 1 : 0, stream, Array(text.utf8))
        }
        static func reset(_ stream: UInt32, _ code: UInt8) -> Data {
            frame(3, 0, stream, [0, 0, 0, code])
        }
        static func goAway(last stream: UInt8, _ code: UInt8 = 0) -> Data {
            frame(7, 0, 0, [0, 0, 0, stream, 0, 0, 0, code])
        }

        /// `a: b`, as a literal field without indexing.
        private static let field: [UInt8] = [0, 1, 0x61, 1, 0x62]

        static func code(_ status: String) -> [UInt8] { [8, 3] + Array(status.utf8) }

        static func frame(
            _ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]
        ) -> Data {
            let length = UInt32(payload.count)
            return Data(
                [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
                    + [type, flags, 0, 0, UInt8(stream >> 8), UInt8(stream & 255)] + payload)
        }
    }

    private func send(
        to server: RawServer, body: RequestBody = .none, timeout: TimeInterval = 120
    ) async throws -> TransportResponse {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        var request = URLRequest(url: server.url)
        request.timeoutInterval = timeout
        if case .none = body {} else { request.httpMethod = "POST" }
        return try await CurlTransport(configuration: configuration)
            .send(TransportRequest(request, body: body))
    }

    /// libcurl notices the end of the response only when the request's body has ended.
    @Test func `a silent HTTP/2 request body times out after the response has ended`()
        async throws
    {
        let server = try serveHTTP2 { connection in
            connection.write(Frame.head(1) + Frame.data(1, "hello", endsStream: true))
            connection.waitForClient()
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send(to: server, body: .stream(.silent), timeout: 0.5)
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `an HTTP/2 response with a body is received`() async throws {
        let server = try serveHTTP2 { connection in
            connection.write(Frame.head(1) + Frame.data(1, "hello", endsStream: true))
            connection.waitForClient()
        }
        defer { server.stop() }
        let response = try await send(to: server)
        #expect(response.head.statusCode == 200)
        #expect(response.metrics.protocolName == "h2")
    }

    @Test func `an HTTP/2 stream reset within the body fails as a lost connection`() async throws {
        let server = try serveHTTP2 { connection in
            connection.write(
                Frame.head(1) + Frame.data(1, "hel", endsStream: false) + Frame.reset(1, 2))
            connection.waitForClient()
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `an HTTP/2 response in progress completes after a GOAWAY`() async throws {
        let server = try serveHTTP2 { connection in
            connection.write(
                Frame.head(1) + Frame.goAway(last: 1) + Frame.data(1, "hello", endsStream: true))
            connection.waitForClient()
        }
        defer { server.stop() }
        let response = try await send(to: server)
        #expect(try response.body.bytes() == Data("hello".utf8))
    }

    @Test(.timeLimit(.minutes(3)))
    func `endless HTTP/2 informational responses are refused`() async throws {
        let server = try serveHTTP2 { connection in
            let hints = (0..<1000).reduce(into: Data()) { data, _ in data += Frame.hints(1) }
            while connection.write(hints) {}
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        // libcurl may run out of buffer space before it delivers any of them.
        let codes: [URLError.Code?] = [.badServerResponse, .networkConnectionLost]
        #expect(codes.contains(error?.code))
    }

    @Test func `an HTTP/2 connection that closes within a body fails as a lost connection`()
        async throws
    {
        let server = try serveHTTP2 { connection in
            connection.write(Frame.head(1) + Frame.data(1, "hel", endsStream: false))
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `invalid HTTP/2 frames fail as a lost connection`() async throws {
        let server = try serveHTTP2 { connection in
            connection.write(Data(repeating: 0xFF, count: 64))
            connection.waitForClient()
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `an HTTP/2 server that does not respond times out`() async throws {
        let server = try serveHTTP2 { $0.waitForClient() }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send(to: server, timeout: 0.2)
        }
        #expect(error?.code == .timedOut)
    }
}

extension RawServer.Connection {
    /// Waits for the head of the client's request, or for its end if `whole`: reads the preface,
    /// then frame by frame.
    func waitForHTTP2Request(whole: Bool = false) {
        var bytes = [UInt8](read(until: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").dropFirst(24))
        write(HTTP2FaultTests.Frame.settings + HTTP2FaultTests.Frame.settingsAcknowledged)
        while true {
            while bytes.count >= 9 {
                let endsStream = bytes[4] & 1 == 1
                if bytes[3] == 1 && !whole || bytes[3] <= 1 && endsStream { return }
                let length = 9 + (Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2]))
                if bytes.count < length { break }
                bytes.removeFirst(length)
            }
            let more = read()
            if more.isEmpty { return }
            bytes += more
        }
    }
}
