import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP/2 responses that arrive early, have a wrong length, or do not end.
@Suite(.timeLimit(.minutes(3))) struct HTTP2AnswerTests {
    private typealias Frame = HTTP2FaultTests.Frame

    private static let large = Data(repeating: 1, count: 32 << 20)

    /// A server that sends `frames` in response to the first request on each connection, followed
    /// by `endless` repeatedly.
    private func serve(_ frames: Data..., then endless: Data? = nil) throws -> RawServer {
        try RawServer { connection in
            connection.waitForHTTP2Request()
            for frame in frames { connection.write(frame) }
            if let endless { while connection.write(endless) {} }
            connection.waitForClient()
        }
    }

    private func send(
        to server: RawServer, body: RequestBody = .none,
        destination: ResponseDestination = .memory(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> TransportResponse {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http2PriorKnowledge
        var request = URLRequest.patient(server.url)
        if case .none = body {} else { request.httpMethod = "POST" }
        return try await CurlTransport(configuration: configuration)
            .send(
                TransportRequest(
                    request, body: body, destination: destination, progress: progress))
    }

    private func expectError(
        _ codes: URLError.Code..., from server: RawServer,
        destination: ResponseDestination = .memory()
    ) async throws {
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            let response = try await send(to: server, destination: destination)
            if case .stream(let stream) = response.body { for try await _ in stream {} }
        }
        #expect(codes.contains(try #require(error?.code)), "\(error?.localizedDescription ?? "")")
    }

    // MARK: Before the end of the request's body

    /// nginx limits bodies to 1 MiB, and rejects this one by its head.
    @Test(.requires(.nginx, .openssl))
    func `nginx's refusal of a request body in progress is the response`() async throws {
        let nginx = try await Nginx(.valid)
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        let transport = try CurlTransport(configuration: configuration)
        let stream = RequestBodyStream(length: Int64(Self.large.count)) {
            AsyncStream { chunk in
                chunk.yield(Self.large)
                chunk.finish()
            }
        }
        var request = URLRequest.patient(nginx.url)
        request.httpMethod = "POST"
        for body in [.data(Self.large), .stream(stream), .stream(.silent(announcing: 32 << 20))]
            as [RequestBody]
        {
            let response = try await transport.send(TransportRequest(request, body: body))
            #expect(response.head.statusCode == 413)
            #expect(response.metrics.protocolName == "h2")
            #expect(try response.text.contains("Too Large"))
        }
    }

    private func refuse(then end: Data = Data()) throws -> RawServer {
        try serve(Frame.head(1, "413", length: 5) + Frame.data(1, "large", endsStream: true) + end)
    }

    @Test(arguments: [RequestBody.data(large), .stream(.silent)])
    func `an HTTP/2 refusal is the response whether the request body continues or stalls`(
        body: RequestBody
    ) async throws {
        let server = try refuse()
        defer { server.stop() }
        let response = try await send(to: server, body: body)
        #expect(response.head.statusCode == 413)
        #expect(try response.text == "large")
    }

    /// RFC 9113, section 8.1.
    @Test
    func `an HTTP/2 refusal before a reset is the response, or an error if libcurl loses it`()
        async throws
    {
        let server = try refuse(then: Frame.reset(1, 0))
        defer { server.stop() }
        guard ResetAnswers.areLost else {
            for body in [Self.large, Data(count: 1)] {
                let response = try await send(to: server, body: .data(body))
                #expect(response.head.statusCode == 413)
                #expect(try response.text == "large")
            }
            return
        }
        let pieces = RequestBodyStream {
            AsyncStream { chunk in
                for _ in 0..<32 { chunk.yield(Data(count: 1 << 20)) }
                chunk.finish()
            }
        }
        for body in [.data(Self.large), .stream(pieces), .stream(.silent)] as [RequestBody] {
            let error = await #expect(throws: URLError.self) {
                try await send(to: server, body: body)
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(error?.localizedDescription.contains("8.1") == true, "\(body) \(error as Any)")
        }
    }

    // MARK: Lengths

    @Test(arguments: [3, 10]) func `an HTTP/2 body of another length than announced is an error`(
        length: Int
    ) async throws {
        let server = try serve(
            Frame.head(1, "200", length: length), Frame.data(1, "hello", endsStream: true))
        try await expectError(.networkConnectionLost, .badServerResponse, from: server)
    }

    /// A part of a first frame of 16,384 bytes, then the rest at once. curl with libcurl 7.88.1 and
    /// 8.0.1 hangs.
    @Test(arguments: [1, 15, 1000, 16_384])
    func `an HTTP/2 body that arrives in two reads is complete`(first: Int) async throws {
        let body = [UInt8](repeating: 0x61, count: 20_000)
        let frames =
            Frame.head(1) + Frame.frame(0, 0, 1, Array(body.prefix(16_384)))
            + Frame.frame(0, 1, 1, Array(body.dropFirst(16_384)))
        let start = Frame.head(1).count + 9 + first
        let isRead = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            connection.waitForHTTP2Request()
            connection.write(frames.prefix(start))
            isRead.wait()
            connection.write(frames.dropFirst(start))
            connection.waitForClient()
        }
        defer {
            isRead.signal()
            server.stop()
        }
        for destination in [ResponseDestination.memory(), .stream] {
            let response = try await send(to: server, destination: destination) {
                if $0.bytesReceived == first { isRead.signal() }
            }
            if case .stream(let stream) = response.body {
                #expect(try await stream.collect(upTo: 1 << 20) == Data(body))
            } else {
                #expect(try response.body.bytes() == Data(body))
            }
        }
    }

    @Test func `an endless HTTP/2 body stops at the response's size limit`() async throws {
        let server = try serve(
            Frame.head(1),
            then: Frame.data(1, String(repeating: "x", count: 16_000), endsStream: false))
        try await expectError(
            .dataLengthExceedsMaximum, from: server, destination: .memory(limit: 1000))
    }

    // MARK: Fields

    private static let trailersWithStatus = Frame.frame(1, 5, 1, Frame.code("404"))

    /// RFC 9113, section 8.1.
    @Test(arguments: [ResponseDestination.memory(), .stream])
    func `HTTP/2 trailer fields with a status are an error`(
        destination: ResponseDestination
    ) async throws {
        let server = try serve(
            Frame.head(1), Frame.data(1, "hello", endsStream: false), Self.trailersWithStatus)
        try await expectError(
            .networkConnectionLost, .badServerResponse, from: server, destination: destination)
    }

    /// libcurl before 8.6 does not read beyond the announced length.
    @Test func `HTTP/2 trailers with a status are unread after an announced length, or an error`()
        async throws
    {
        let isRead = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            connection.waitForHTTP2Request()
            connection.write(
                Frame.head(1, "200", length: 5) + Frame.data(1, "hello", endsStream: false))
            // Delivers the rest in a separate read.
            isRead.wait()
            connection.write(Self.trailersWithStatus)
            connection.waitForClient()
        }
        defer {
            isRead.signal()
            server.stop()
        }
        let result = await Result.catching {
            try await send(to: server) { if $0.bytesReceived == 5 { isRead.signal() } }
        }
        if CurlLibrary.version < 0x080600 {
            #expect(try result.get().text == "hello")
        } else {
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test func `an endless HTTP/2 head is refused`() async throws {
        let server = try serve(Frame.openHead(1), then: Frame.continuation(1))
        try await expectError(.networkConnectionLost, .badServerResponse, from: server)
    }

    @Test(arguments: [ResponseDestination.memory(), .stream])
    func `endless HTTP/2 trailer fields are refused`(destination: ResponseDestination) async throws
    {
        let server = try serve(
            Frame.head(1), Frame.data(1, "hi", endsStream: false), Frame.openTrailers(1),
            then: Frame.continuation(1))
        try await expectError(
            .networkConnectionLost, .badServerResponse, from: server, destination: destination)
    }
}
