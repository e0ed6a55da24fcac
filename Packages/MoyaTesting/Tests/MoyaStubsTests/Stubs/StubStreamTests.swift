import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct StubStreamTests {
    private static func pieces(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    private func stream(_ response: TransportResponse) throws -> ResponseBodyStream {
        guard case .stream(let stream) = response.body else { throw URLError(.unknown) }
        return stream
    }

    @Test func `a streamed request body is read, reported as progress and recorded`() async throws {
        let log = ProgressLog()
        let transport = StubTransport()
        transport.on(.jsonBody(["a": 1])).respond { request in
            .text(String(decoding: request.body ?? Data(), as: UTF8.self))
        }
        let body = RequestBodyStream(once: Self.pieces(#"{"a""#, ":1}"))
        let response = try await transport.send(
            .test("POST", body: .stream(body), progress: log.note))
        #expect(response.text == #"{"a":1}"#)
        #expect(log.sent == [4, 7, 7])
        #expect(log.received == [0, 0, 7])
        #expect(response.metrics.bytesSent == 7)
        let recorded = transport.expectRequest(.body(containing: "a"), times: 1)
        #expect(recorded.first?.body == Data(#"{"a":1}"#.utf8))
    }

    @Test func `an error of a streamed request body fails the stubbed request`() async {
        let body = RequestBodyStream(
            once: AsyncThrowingStream<Data, any Error> { $0.finish(throwing: URLError(.badURL)) })
        await #expect(throws: URLError(.badURL)) {
            try await StubTransport(.response()).send(.test("POST", body: .stream(body)))
        }
    }

    @Test func `a handler receives a streamed request body unread`() async throws {
        let transport = StubTransport { request in
            guard case .stream = request.body else { throw URLError(.badURL) }
            return try .stub(for: request)
        }
        let body = RequestBodyStream(once: Self.pieces("a"))
        #expect(
            try await transport.send(.test("POST", body: .stream(body))).head.statusCode == 200)
    }

    @Test func `a script and a cassette read streamed request bodies`() async throws {
        let far = ScriptedTransport()
        far.expect(.body(containing: "ab")).respond(.response(201))
        let folder = try TemporaryFolder()
        var options = CassetteTransport.Options()
        options.matchers = [.body]
        let recording = try far.cassette(at: folder.file("a.har"), options: options)
        for _ in 0..<2 {
            let exists = FileManager.default.fileExists(atPath: folder.file("a.har").path)
            let transport =
                exists
                ? try CassetteTransport(at: folder.file("a.har"), mode: .none, options: options)
                : recording
            let body = RequestBodyStream(once: Self.pieces("a", "b"))
            let answer = try await transport.send(
                .test("POST", body: .stream(body), destination: .stream))
            #expect(answer.head.statusCode == 201)
        }
    }

    @Test func `a stubbed response is streamed piece by piece on the clock`() async throws {
        let clock = TestClock()
        let transport = StubTransport(Stub.text("abcdef").chunked(2, every: 1), clock: clock)
        let response = try await transport.send(.test(destination: .stream))
        var iterator = try stream(response).makeAsyncIterator()
        for expected in ["ab", "cd", "ef"] {
            await clock.waitForSleepers()
            clock.advance(by: 1)
            #expect(try await iterator.next() == Data(expected.utf8))
        }
        #expect(try await iterator.next() == nil)
        #expect(try stream(response).metrics?.bytesReceived == 6)
    }

    @Test func `a stubbed stream that is cut off throws after its bytes`() async throws {
        let transport = StubTransport(Stub.text("abcdef").cutOff(afterBytes: 4))
        let body = try stream(try await transport.send(.test(destination: .stream)))
        var received = Data()
        let error = await #expect(throws: URLError.self) {
            for try await piece in body { received.append(piece) }
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(received == Data("abcd".utf8))
    }

    @Test func `a cancelled stubbed stream ends its pauses`() async throws {
        let clock = TestClock()
        let transport = StubTransport(Stub.text("abcdef").chunked(2, every: 1), clock: clock)
        let body = try stream(try await transport.send(.test(destination: .stream)))
        await clock.waitForSleepers()
        body.cancel()
        // The second piece is never sent.
        try await until { clock.sleeperCount == 0 }
        #expect(clock.sleeps == [1])
    }

    @Test func `a provider's stream has the pieces of its stub`() async throws {
        let provider = StubbedProvider<Shop>()
        provider.stub(.list, with: .text("abc").chunked(1))
        var received = Data()
        for try await piece in try await provider.stream(.list) { received.append(piece) }
        #expect(received == Data("abc".utf8))
        provider.received(.list, times: 1)
    }
}
