import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import Testing

@testable import MoyaStreaming

private struct Chunk: Decodable, Equatable, Sendable {
    var textDelta: String
}

private struct APIError: Decodable, Equatable, Sendable {
    var errorCode: Int
}

@Suite(.timeLimit(.minutes(3))) struct ServerSentValueTests {
    private var coders: Coders {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return Coders(decoder: decoder)
    }

    private func events(_ text: String) -> MockResponse {
        MockResponse(
            headers: [HeaderField(name: "Content-Type", value: "text/event-stream")],
            body: .data(Data(text.utf8)))
    }

    /// Returns a server that sends one response per connection, and repeats the last.
    private func serving(_ answers: MockResponse...) throws -> MockServer {
        let left = Locked(answers)
        return try MockServer { _ in
            left.withLock {
                $0.count > 1 ? $0.removeFirst() : $0.first ?? MockResponse(status: 204)
            }
        }
    }

    private func values(
        of server: MockServer, method: MoyaCore.Method = .post,
        _ options: EventSourceOptions = .init(backoff: Backoff(base: 0)),
        over carrier: Carrier = .curl
    ) -> ServerSentValues<EventSource, Chunk> {
        MoyaProvider<Transfer>(transport: carrier.transport, coders: coders).serverSentEvents(
            Transfer(baseURL: server.url, path: "/", method: method, task: .requestPlain),
            of: Chunk.self, options: options)
    }

    // The stream of a chat completion, as OpenAI's API reference shows it.
    private let chat = """
        data: {"text_delta":"Hello"}

        : keep-alive

        event: delta
        data: {"text_delta":
        data: " world"}

        data: [DONE]


        """

    @Test(arguments: Carrier.allCases, [MoyaCore.Method.post, .get])
    func `the values of a stream are decoded by the provider's coders, up to [DONE]`(
        carrier: Carrier, method: MoyaCore.Method
    ) async throws {
        // The events after [DONE] show that nothing is read on, and the second response that no
        // request follows.
        let server = try serving(events(chat + "data: {}\n\n"), MockResponse(status: 500))
        defer { server.stop() }
        let seen = try await values(of: server, method: method, over: carrier).collected()
        #expect(seen.map(\.textDelta) == ["Hello", " world"])
        #expect(server.requests.map(\.method) == [method.rawValue])
    }

    @Test func `[DONE] ends the exchange of a server that keeps the connection open`() async throws
    {
        let open = events(chat + String(repeating: ":\n", count: 100))
            .truncated(after: chat.utf8.count + 1, then: .stall)
        let server = try serving(open)
        defer { server.stop() }
        var iterator = values(of: server).makeAsyncIterator()
        #expect(try await iterator.next()?.textDelta == "Hello")
        #expect(try await iterator.next()?.textDelta == " world")
        #expect(try await iterator.next() == nil)
        try await server.waitUntilDisconnected()
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 1)
    }

    @Test func `an unsafe request for values is repeated only if its options allow it`()
        async throws
    {
        let part = "data: {\"text_delta\":\"a\"}\n\n"
        let once = try serving(events(part), MockResponse(status: 204))
        defer { once.stop() }
        #expect(try await values(of: once).collected().count == 1)
        #expect(once.requests.count == 1)
        let again = try serving(events(part), events(chat), MockResponse(status: 500))
        defer { again.stop() }
        let options = EventSourceOptions(backoff: Backoff(base: 0), repeatsUnsafeRequests: true)
        let seen = try await values(of: again, options).collected()
        #expect(seen.map(\.textDelta) == ["a", "Hello", " world"])
        #expect(again.requests.map(\.method) == ["POST", "POST"])
    }

    @Test(arguments: Carrier.allCases)
    func `an error event ends the values with the decoded error of the server`(carrier: Carrier)
        async throws
    {
        let text = "data: {\"text_delta\":\"a\"}\n\nevent: error\ndata: {\"error_code\":529}\n\n"
        let server = try serving(events(text + "data: {\"text_delta\":\"b\"}\n\n"))
        defer { server.stop() }
        var iterator = values(of: server, method: .get, over: carrier).makeAsyncIterator()
        #expect(try await iterator.next()?.textDelta == "a")
        let error = await #expect(throws: StreamingError.self) {
            _ = try await iterator.next()
        }
        #expect(error?.reason == .errorEvent)
        #expect(error?.event?.data == #"{"error_code":529}"#)
        #expect(error?.failure(as: APIError.self) == APIError(errorCode: 529))
        #expect(error?.failure(as: Chunk.self) == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 1)
    }

    private func stream(_ text: String) -> AsyncStream<Data> {
        chunks(of: Data(text.utf8), longest: 5, seed: 3)
    }

    @Test func `an event that cannot be decoded is an error with the event`() async throws {
        let text = "data: {\"textDelta\":\"a\"}\n\nevent: x\ndata: {\"errorCode\":1}\n\n"
        var seen: [Chunk] = []
        let error = await #expect(throws: StreamingError.self) {
            for try await chunk in stream(text).serverSentEvents(of: Chunk.self) {
                seen.append(chunk)
            }
        }
        #expect(seen == [Chunk(textDelta: "a")])
        #expect(error?.reason == .undecodableEvent)
        #expect(error?.underlyingError is DecodingError)
        #expect(error?.event?.type == "x")
        #expect(error?.failure(as: APIError.self) == APIError(errorCode: 1))
    }

    @Test func `the text of an error event is quoted up to 200 characters, without secrets`() async
    {
        let secret =
            "event: error\ndata: {\"access_token\":\"hush\",\"message\":\"overloaded\"}\n\n"
        let long = "event: error\ndata: " + String(repeating: "a ", count: 500) + "\n\n"
        for (text, length) in [(secret, 0), (long, 240)] {
            let error = await #expect(throws: StreamingError.self) {
                try await stream(text).serverSentEvents(of: Chunk.self).collected()
            }
            let description = error?.description ?? ""
            #expect(description.hasPrefix("The server sent an error event: "))
            #expect(!description.contains("hush"))
            #expect(length == 0 ? description.contains("overloaded") : description.count < length)
        }
    }

    private struct Upper: BodyDecoder {
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            try JSONDecoder().decode(
                type, from: JSONEncoder().encode(String(decoding: data, as: UTF8.self).uppercased())
            )
        }
    }

    @Test func `values and lines of a stream are decoded by the coders of its target`()
        async throws
    {
        struct Read: ResponseTarget {
            typealias Response = Moya.Response
            var coders: Coders?
            var sampleData: Data
            var baseURL: URL { URL(string: "http://host.test") ?? URL(fileURLWithPath: "/") }
            var path: String { "/" }
        }
        let transport = StubTransport(.sampleData())
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let lines = Read(coders: coders, sampleData: Data(#"{"text_delta":"a"}"#.utf8))
        let read = try await provider.stream(MultiTarget(lines)).jsonLines(of: Chunk.self)
        #expect(try await read.collected() == [Chunk(textDelta: "a")])
        let events = Read(coders: coders, sampleData: Data(chat.utf8))
        let seen = try await provider.stream(MultiTarget(events)).serverSentEvents(of: Chunk.self)
        #expect(try await seen.collected().count == 2)
        let given = try await provider.stream(MultiTarget(events)).serverSentEvents(
            of: String.self, using: Upper())
        #expect(try await given.collected().first == #"{"TEXT_DELTA":"HELLO"}"#)
        await #expect(throws: StreamingError.self) {
            try await provider.stream(MultiTarget(lines)).jsonLines(
                of: Chunk.self, using: JSONDecoder()
            ).collected()
        }
    }
}
