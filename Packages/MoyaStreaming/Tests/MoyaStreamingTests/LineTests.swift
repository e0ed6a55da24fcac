import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaStreaming

/// Divides `data` into chunks of 0 to `longest` bytes, differently for each `seed`.
func chunks(of data: Data, longest: Int, seed: UInt64) -> AsyncStream<Data> {
    var (rest, random) = (data, noise(4 * data.count + 64, seed: seed)[...])
    return AsyncStream { continuation in
        while !rest.isEmpty {
            let size = Int(random.popFirst() ?? 1) % (longest + 1)
            continuation.yield(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        continuation.finish()
    }
}

@Suite struct LineTests {
    static let texts: [(String, [String])] = [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("\n", [""]), ("a\r\nb\n\nc", ["a", "b", "", "c"]),
        ("a\rb\n", ["a\rb"]), ("ä€🌍\nö", ["ä€🌍", "ö"]), ("a\r\r\n", ["a\r"]),
        ("a\n\r\n", ["a", ""]),
    ]

    @Test(arguments: texts)
    func `lines do not depend on how the body is divided into chunks`(text: String, lines: [String])
        async throws
    {
        for seed in 0..<20 {
            let body = chunks(of: Data(text.utf8), longest: 3, seed: UInt64(seed))
            #expect(try await body.lines.collected() == lines)
        }
    }

    @Test func `invalid UTF-8 in lines is replaced by U+FFFD`() async throws {
        let body = chunks(of: Data([0x61, 0xFF, 0x0A, 0xE2, 0x82]), longest: 2, seed: 1)
        #expect(try await body.lines.collected() == ["a\u{FFFD}", "\u{FFFD}"])
    }

    @Test(arguments: ["0123456789", "0123456789\nx", "ok\n0123456789"])
    func `a line beyond the limit is an error, even unterminated`(text: String) async throws {
        let body = { chunks(of: Data(text.utf8), longest: 4, seed: 3) }
        #expect(try await body().lines(limit: 10).collected().isEmpty == false)
        let error = await #expect(throws: StreamingError.self) {
            try await body().lines(limit: 9).collected()
        }
        #expect(error?.reason == .tooLong)
    }

    @Test(arguments: ["0123456789x\nb\n", "0123456789x"])
    func `no line follows a line beyond the limit`(text: String) async throws {
        var lines = chunks(of: Data(text.utf8), longest: 20, seed: 1).lines(limit: 10)
            .makeAsyncIterator()
        await #expect(throws: StreamingError.self) { _ = try await lines.next() }
        #expect(try await lines.next() == nil)
    }

    /// Reads `body` with a limit of 10 bytes. Returns its lines, and whether a line was too long.
    private func read(_ body: [Data]) async -> ([String], Bool) {
        let stream = AsyncStream { continuation in
            for chunk in body { continuation.yield(chunk) }
            continuation.finish()
        }
        var lines: [String] = []
        do {
            for try await line in stream.lines(limit: 10) { lines.append(line) }
            return (lines, false)
        } catch {
            return (lines, true)
        }
    }

    @Test(arguments: [
        ("0123456789\r\n", ["0123456789"], false), ("0123456789\n", ["0123456789"], false),
        ("0123456789", ["0123456789"], false), ("012345678\r", ["012345678\r"], false),
        ("0123456789\r", [], true), ("0123456789\rx\n", [], true),
        ("0123456789\r\r\n", [], true), ("a\r\n0123456789\r\nb", ["a", "0123456789", "b"], false),
        ("a\n0123456789x\r\nb", ["a"], true),
    ])
    func `the line limit does not depend on how the text is divided into chunks`(
        text: String, lines: [String], isTooLong: Bool
    ) async {
        let data = Data(text.utf8)
        for first in 0...data.count {
            for second in first...data.count {
                let seen = await read([
                    data.prefix(first), data[first..<second], data.dropFirst(second),
                ])
                #expect(seen.0 == lines, "cut at \(first) and \(second)")
                #expect(seen.1 == isTooLong, "cut at \(first) and \(second)")
            }
        }
    }

    @Test func `JSON lines are decoded line by line`() async throws {
        let text = "{\"line\":1}\n\n  \r\n{\"line\":2}\r\n{\"line\":3}"
        let body = chunks(of: Data(text.utf8), longest: 5, seed: 1)
        let values = try await body.jsonLines(of: [String: Int].self).collected()
        #expect(values == [["line": 1], ["line": 2], ["line": 3]])
    }

    @Test func `a JSON line of another type is an error with its line number`() async throws {
        let body = chunks(of: Data("1\n\n2\nthree\n4\n".utf8), longest: 9, seed: 1)
        var values: [Int] = []
        let error = await #expect(throws: StreamingError.self) {
            for try await value in body.jsonLines(of: Int.self) { values.append(value) }
        }
        #expect(error?.reason == .undecodableLine(4))
        #expect(error?.underlyingError is DecodingError)
        #expect(
            error?.description == "Line 4 could not be decoded: the line is not valid JSON.")
        #expect(values == [1, 2])
    }
}

@Suite struct StreamingResponseTests {
    private func stream(
        _ path: String, from server: MockServer, over carrier: Carrier = .curl
    ) async throws -> StreamingResponse {
        try await MoyaProvider<Transfer>(transport: carrier.transport)
            .stream(Transfer(baseURL: server.url, path: path, task: .requestPlain))
    }

    @Test(arguments: Carrier.allCases)
    func `a response's lines arrive before the response ends`(carrier: Carrier) async throws {
        let server = try MockServer { _ in
            MockResponse(body: .data(Data("one\ntwo\nthree\n".utf8)))
                .truncated(after: 9, then: .stall)
        }
        defer { server.stop() }
        var seen: [String] = []
        for try await line in try await stream("/", from: server, over: carrier).lines {
            seen.append(line)
            if seen.count == 2 { break }
        }
        #expect(seen == ["one", "two"])
        // Leaving the loop early cancels the request.
        try await server.waitUntilDisconnected()
    }

    /// Uses libcurl: on Linux, URLSession reports a redirect only after its body has ended.
    @Test func `a redirect whose body never ends is followed`() async throws {
        let server = try MockServer { request in
            guard request.path == "/from" else { return .text("here\n") }
            var redirect = MockResponse.redirect(to: "/to")
            redirect.body = .data(Data("over there, soon".utf8))
            return redirect.truncated(after: 10, then: .stall)
        }
        defer { server.stop() }
        let response = try await stream("/from", from: server)
        #expect(response.statusCode == 200)
        #expect(try await response.lines.collected() == ["here"])
    }

    @Test func `a response of JSON lines is decoded into values`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let response = try await stream("/stream/1000", from: server)
        let values = try await response.jsonLines(of: [String: Int].self).collected()
        #expect(values.map { $0["line"] } == (0..<1000).map { $0 })
    }

    @Test func `a body that breaks off throws an error after its lines`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .data(Data("one\ntwo\nthree\n".utf8))).truncated(after: 9)
        }
        defer { server.stop() }
        let response = try await stream("/", from: server)
        var seen: [String] = []
        await #expect(throws: MoyaError.self) {
            for try await line in response.lines { seen.append(line) }
        }
        #expect(seen == ["one", "two"])
    }
}
