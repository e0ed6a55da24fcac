import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaStreaming

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ServerSentEventParserTests {
    /// The examples of the standard, and cases for each of its rules.
    static let streams: [(String, [ServerSentEvent])] = [
        (
            "data: YHOO\ndata: +2\ndata: 10\n\n",
            [.init(data: "YHOO\n+2\n10")]
        ),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [.init(data: "first event", lastEventID: "1"), .init(data: "second event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [.init(data: ""), .init(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [.init(data: "test"), .init(data: "test")]),
        (
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            [.init(type: "add", data: "73857293"), .init(type: "remove", data: "2153")]
        ),
        // LF, CRLF and CR, mixed.
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\n", "abcd".map { .init(data: "\($0)") }),
        ("data: a\r\ndata: b\n\r\n", [.init(data: "a\nb")]),
        // Only one byte order mark is skipped, at the beginning.
        ("\u{FEFF}data: a\n\n", [.init(data: "a")]),
        ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("\n\u{FEFF}data: a\n\n", []),
        // An ID with NUL is ignored. An ID without data applies to later events.
        ("id: 1\n\nid: 2\u{0}\ndata: a\n\n", [.init(data: "a", lastEventID: "1")]),
        ("id: 7\n\ndata: a\n\n", [.init(data: "a", lastEventID: "7")]),
        // An event without data is ignored, and its type does not apply to the next event.
        ("event: lost\n\ndata: a\n\n", [.init(data: "a")]),
        // Field names are case-sensitive, and unknown fields are ignored.
        ("Data: a\nDATA: b\n data: c\nretries: 5\n: data: d\n\n", []),
        ("data: a: b\nevent:  x\n\n", [.init(type: " x", data: "a: b")]),
        ("", []), ("\n\n\n", []), ("data: unfinished", []), ("data: unfinished\n", []),
    ]

    @Test(arguments: streams)
    func `events do not depend on how the stream is divided into chunks`(
        text: String, events: [ServerSentEvent]
    ) async throws {
        for seed in 0..<30 {
            let body = chunks(of: Data(text.utf8), longest: 4, seed: UInt64(seed))
            #expect(try await body.serverSentEvents.collected() == events)
        }
    }

    @Test func `an event is complete at its empty line, even with CR line terminators`() throws {
        var parser = ServerSentEventParser(limit: 100)
        parser.append(Data("data: a\r\r".utf8))
        #expect(try parser.next() == ServerSentEvent(data: "a"))
        parser.append(Data("\ndata: b\n".utf8))
        #expect(try parser.next() == nil)
        parser.append(Data("\n".utf8))
        #expect(try parser.next() == ServerSentEvent(data: "b"))
    }

    @Test(
        arguments: [
            ("retry: 1500", 1.5), ("retry:0", 0), ("retry: -1", nil), ("retry: 1.5", nil),
            ("retry", nil), ("retry: 5s", nil),
        ] as [(String, Double?)])
    func `a retry field is a number of milliseconds`(
        line: String, seconds: Double?
    ) throws {
        var parser = ServerSentEventParser(limit: 100)
        parser.append(Data((line + "\n").utf8))
        #expect(try parser.next() == nil)
        #expect(parser.retryDelay == seconds)
    }

    @Test func `lines and events beyond their limit are errors`() async throws {
        let line = chunks(of: Data("data: 0123456789\n\n".utf8), longest: 4, seed: 1)
        await #expect(throws: StreamingError.self) {
            try await line.serverSentEvents(limit: 10).collected()
        }
        let event = chunks(
            of: Data(String(repeating: "data: 0\n", count: 100).utf8), longest: 9, seed: 1)
        let error = await #expect(throws: StreamingError.self) {
            try await event.serverSentEvents(limit: 100).collected()
        }
        #expect(error?.reason == .tooLong)
    }
}

@Suite struct EventSourceTests {
    /// Returns a server that sends one response per connection, and repeats the last.
    private func serving(_ answers: [MockResponse]) throws -> MockServer {
        let left = Locked(answers)
        return try MockServer { _ in
            left.withLock {
                $0.count > 1 ? $0.removeFirst() : $0.first ?? MockResponse(status: 204)
            }
        }
    }

    private func events(_ text: String) -> MockResponse {
        MockResponse(
            headers: [HeaderField(name: "Content-Type", value: "text/event-stream; charset=utf-8")],
            body: .data(Data(text.utf8)))
    }

    private func source(
        of server: MockServer, _ options: EventSourceOptions = .init(backoff: Backoff(base: 0)),
        method: MoyaCore.Method = .get, validation: ValidationType = .none,
        over carrier: Carrier = .curl
    ) -> EventSource {
        MoyaProvider<Transfer>(transport: carrier.transport).serverSentEvents(
            Transfer(
                baseURL: server.url, path: "/", method: method, task: .requestPlain,
                validationType: validation),
            options: options)
    }

    @Test(arguments: Carrier.allCases)
    func `an event source reconnects with the last event ID until a 204`(carrier: Carrier)
        async throws
    {
        let server = try serving([
            events("id: 1\ndata: a\n\ndata: b\n\ndata: cut"), events("id: €\ndata: c\n\n"),
            events("id\ndata: d\n\n"), MockResponse(status: 204),
        ])
        defer { server.stop() }
        let seen = try await source(of: server, over: carrier).collected()
        #expect(seen.map(\.data) == ["a", "b", "c", "d"])
        #expect(server.requests.map { $0.value(for: "Last-Event-ID") } == [nil, "1", "€", nil])
        #expect(server.requests.allSatisfy { $0.value(for: "Accept") == "text/event-stream" })
        #expect(server.requests.allSatisfy { $0.value(for: "Cache-Control") == "no-store" })
    }

    @Test(arguments: Carrier.allCases)
    func `an event source reconnects after a lost connection`(carrier: Carrier) async throws {
        let whole = "id: 1\ndata: a\n\n"
        let server = try serving([
            events(whole + "data: lost").truncated(after: whole.utf8.count, then: .reset),
            .silence(then: .reset), events("data: b\n\n"), MockResponse(status: 204),
        ])
        defer { server.stop() }
        let seen = try await source(of: server, over: carrier).collected()
        #expect(seen == [.init(data: "a", lastEventID: "1"), .init(data: "b", lastEventID: "1")])
    }

    // RFC 9110, section 9.2.1. QUERY is safe by its draft.
    @Test(arguments: [MoyaCore.Method.post, .put, .patch, .delete], Carrier.allCases)
    func `an event source sends an unsafe request once, and ends with its response`(
        method: MoyaCore.Method, carrier: Carrier
    ) async throws {
        let server = try serving([
            events("id: 1\ndata: a\n\ndata: b\n\n"), MockResponse(status: 204),
        ])
        defer { server.stop() }
        let seen = try await source(of: server, method: method, over: carrier).collected()
        #expect(seen.map(\.data) == ["a", "b"])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Carrier.allCases)
    func `a lost connection of an unsafe request is an error of the event source`(carrier: Carrier)
        async throws
    {
        let whole = "id: 1\ndata: a\n\n"
        let server = try serving([
            events(whole + "data: lost").truncated(after: whole.utf8.count, then: .reset),
            MockResponse(status: 204),
        ])
        defer { server.stop() }
        var seen: [String] = []
        let error = await #expect(throws: MoyaError.self) {
            for try await event in source(of: server, method: .post, over: carrier) {
                seen.append(event.data)
            }
        }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(seen == ["a"])
        #expect(server.requests.count == 1)
    }

    @Test
    func `an event source whose next connection would exceed the deadline ends with timedOut`()
        async throws
    {
        let stub = StubTransport(
            .response(
                headers: ["Content-Type": "text/event-stream"],
                data: Data("data: a\n\n".utf8)))
        let target = Transfer(
            baseURL: try #require(URL(string: "http://host.test")), path: "/", task: .requestPlain)
        let source = MoyaProvider<Transfer>(transport: stub).serverSentEvents(
            target, options: EventSourceOptions(backoff: Backoff(base: 3)))
        var seen: [String] = []
        let error = await #expect(throws: MoyaError.self) {
            try await withDeadline(after: 3, clock: TestClock()) {
                for try await event in source { seen.append(event.data) }
            }
        }
        #expect((error?.underlyingError as? URLError)?.code == .timedOut)
        #expect(seen == ["a"])
        #expect(stub.requests.count == 1)
    }

    @Test func `an unsafe request without a response is sent once by the event source`()
        async throws
    {
        let server = try serving([.silence(then: .reset)])
        defer { server.stop() }
        await #expect(throws: MoyaError.self) {
            try await source(of: server, method: .post).collected()
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [MoyaCore.Method.get, .options, .query])
    func `an event source repeats safe requests`(method: MoyaCore.Method) async throws {
        let server = try serving([
            events("data: a\n\n"), .silence(then: .reset), events("data: b\n\n"),
            MockResponse(status: 204),
        ])
        defer { server.stop() }
        let seen = try await source(of: server, method: method).collected()
        #expect(seen.map(\.data) == ["a", "b"])
        #expect(server.requests.count == 4)
    }

    @Test(arguments: Carrier.allCases)
    func `an event source repeats an unsafe request if its options allow it`(carrier: Carrier)
        async throws
    {
        let server = try serving([
            events("id: 1\ndata: a\n\n"), .silence(then: .reset), events("data: b\n\n"),
            MockResponse(status: 204),
        ])
        defer { server.stop() }
        let options = EventSourceOptions(
            backoff: Backoff(base: 0), repeatsUnsafeRequests: true)
        let seen = try await source(of: server, options, method: .post, over: carrier).collected()
        #expect(seen.map(\.data) == ["a", "b"])
        #expect(server.requests.map(\.method) == ["POST", "POST", "POST", "POST"])
        #expect(server.requests.last?.value(for: "Last-Event-ID") == "1")
    }

    @Test(arguments: Carrier.allCases)
    func `a body that cannot be decoded ends the event source with an error`(carrier: Carrier)
        async throws
    {
        let server = try serving([
            events("data: no gzip at all\n\n").adding("Content-Encoding", "gzip"),
            MockResponse(status: 204),
        ])
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await source(of: server, over: carrier).collected()
        }
        #expect(error?.underlyingError is URLError)
        #expect(server.requests.count == 1)
    }

    @Test func `an event source starts with the given last event ID`() async throws {
        let server = try serving([MockResponse(status: 204)])
        defer { server.stop() }
        let options = EventSourceOptions(lastEventID: "42")
        #expect(try await source(of: server, options).collected() == [])
        #expect(server.requests.map { $0.value(for: "Last-Event-ID") } == ["42"])
    }

    @Test func `an event ID that no header field can hold is not sent back`() async throws {
        let server = try serving([events("id: a\u{1}b\ndata: a\n\n"), MockResponse(status: 204)])
        defer { server.stop() }
        #expect(try await source(of: server).collected().map(\.lastEventID) == ["a\u{1}b"])
        #expect(server.requests.map { $0.value(for: "Last-Event-ID") } == [nil, nil])
    }

    @Test func `an event ID too long for a header field is not sent back`() async throws {
        let id = String(repeating: "a", count: 20_000)
        let server = try serving([events("id: \(id)\ndata: a\n\n"), MockResponse(status: 204)])
        defer { server.stop() }
        #expect(try await source(of: server).collected().map(\.lastEventID) == [id])
        #expect(server.requests.map { $0.value(for: "Last-Event-ID") } == [nil, nil])
    }

    @Test(arguments: [ValidationType.none, .successCodes], [500, 404])
    func `an error status ends the event source with the response in the error`(
        validation: ValidationType, status: Int
    ) async throws {
        let server = try serving([.text("the reason", status: status)])
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await source(of: server, validation: validation).collected()
        }
        #expect(error?.response?.statusCode == status)
        #expect(error?.response?.data == Data("the reason".utf8))
        #expect(server.requests.count == 1)
    }

    @Test func `an event source accepts 200 and 204, regardless of the target's validation`()
        async throws
    {
        let server = try serving([events("data: a\n\n"), MockResponse(status: 204)])
        defer { server.stop() }
        let seen = try await source(of: server, validation: .customCodes([201])).collected()
        #expect(seen.map(\.data) == ["a"])
        #expect(server.requests.count == 2)
    }

    @Test func `another content type ends the event source with an error`() async throws {
        let server = try serving([.text("data: a\n\n")])
        defer { server.stop() }
        let error = await #expect(throws: StreamingError.self) {
            try await source(of: server).collected()
        }
        #expect(error?.reason == .notAnEventStream)
    }

    @Test func `failed connection attempts of an event source are limited`() async throws {
        let server = try serving([.silence(then: .reset)])
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await source(of: server, .init(backoff: Backoff(base: 0), maximumRetries: 2))
                .collected()
        }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(server.requests.count == 3)
    }

    @Test func `reconnect pauses follow the server, double with each failure and are limited`() {
        // A clock without a seed, whose waits have their maximum length.
        var options = EventSourceOptions(backoff: Backoff(base: 3, limit: 10), clock: TestClock())
        #expect((0...4).map { options.pause(named: nil, after: $0) } == [3, 3, 6, 10, 10])
        #expect(options.pause(named: 20, after: 5) == 20)
        #expect((0...5).map { options.pause(named: 0, after: $0) } == [0.5, 0.5, 1, 2, 4, 8])
        #expect(options.pause(named: 1e300, after: 0) == 3600)
        // WHATWG HTML: a wait may be longer than the reconnection time, and not shorter.
        options.clock = .system
        #expect((0..<1000).allSatisfy { (3...10).contains(options.pause(named: nil, after: $0)) })
    }

    @Test func `an event source pauses between connections despite retry: 0`() async throws {
        let server = try serving([
            events("retry: 0\ndata: a\n\n"), events("data: b\n\n"), MockResponse(status: 204),
        ])
        defer { server.stop() }
        let clock = TestClock(movesByItself: true)
        let options = EventSourceOptions(backoff: Backoff(base: 0), clock: clock)
        #expect(try await source(of: server, options).collected().map(\.data) == ["a", "b"])
        #expect(clock.sleeps == [0.5, 0.5])
    }

    @Test(arguments: Carrier.allCases)
    func `leaving the loop or cancelling the task ends the exchange of an event source`(
        carrier: Carrier
    ) async throws {
        let endless = events("data: a\n\n" + String(repeating: ":\n", count: 100))
            .truncated(after: 50, then: .stall)
        let server = try serving([endless])
        defer { server.stop() }
        for try await event in source(of: server, over: carrier) {
            #expect(event.data == "a")
            break
        }
        try await server.waitUntilDisconnected()
        let (seen, isSeen) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in self.source(of: server, over: carrier) { isSeen.finish() }
        }
        try await waitForEvent(in: seen)
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        try await server.waitUntilDisconnected()
        #expect(server.requests.count == 2)
    }
}
