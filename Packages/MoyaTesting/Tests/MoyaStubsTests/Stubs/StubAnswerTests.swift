import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct StubAnswerTests {
    @Test func `a file stub has the content type of the file's name`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("user.json")
        try Data(#"{"id":1}"#.utf8).write(to: file)
        let response = try await StubTransport(.file(file, status: 201)).send(.test())
        #expect(response.head.statusCode == 201)
        #expect(response.head.value(for: "content-type") == "application/json")
        #expect(response.text == #"{"id":1}"#)
    }

    @Test func `a stub of a missing file is an error that names the file`() async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: StubFileError.self) {
            try await StubTransport(.file(folder.file("none.json"))).send(.test())
        }
        #expect(error?.description.contains("none.json cannot be read: ") == true)
    }

    private struct Day: Codable, Equatable, Sendable {
        var startDate = Date(timeIntervalSince1970: 0)
    }

    /// Not `Sendable`.
    private final class Note: Encodable { let firstLine = "a" }

    private var coders: Coders {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        return Coders(decoder: decoder, encoder: encoder)
    }

    private func request(body: RequestBody = .none) -> TransportRequest {
        var request = TransportRequest.test(body: body)
        request.context = RequestContext(coders: coders)
        return request
    }

    private let day = #"{"start_date":"1970-01-01T00:00:00Z"}"#

    @Test func `json encodes a value with the coders of the request`() async throws {
        let stub = try Stub.json(Day(), status: 201)
        let response = try await StubTransport(stub).send(request())
        #expect(response.text == day)
        #expect(response.head.value(for: "Content-Type") == "application/json")
        #expect(try await StubTransport(stub).send(.test()).text == #"{"startDate":-978307200}"#)
        let plist = Coders(encoder: PropertyListEncoder())
        var other = TransportRequest.test()
        other.context = RequestContext(coders: plist)
        #expect(try await StubTransport(stub).send(other).text == #"{"startDate":-978307200}"#)
    }

    @Test func `json of a respond closure encodes any value with the coders of the request`()
        async throws
    {
        let transport = StubTransport()
        transport.on(.get, "/path").respond { _ in try .json(Note()) }
        #expect(try await transport.send(request()).text == #"{"first_line":"a"}"#)
        let early = StubTransport(try .json(Note()))
        #expect(try await early.send(request()).text == #"{"firstLine":"a"}"#)
    }

    @Test func `json encodes with the given encoder, and a literal as it is`() async throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let given = StubTransport(try .json(Day(), encoder: encoder))
        #expect(try await given.send(request()).text == #"{"startDate":0}"#)
        let literal = StubTransport(try .json(["firstLine": 1] as JSONValue))
        let text = try await literal.send(request()).text
        #expect(text.contains(#""firstLine":1"#))
    }

    @Test func `a json value that cannot be encoded fails the request`() async throws {
        let transport = StubTransport(try .json(Double.infinity))
        await #expect(throws: EncodingError.self) { try await transport.send(request()) }
    }

    @Test func `a received request is decoded by its coders`() throws {
        let received = ReceivedRequest(
            request: request(body: .data(Data(day.utf8))), parameters: [:])
        #expect(try received.json(Day.self) == Day())
        #expect(throws: DecodingError.self) {
            try received.json(Day.self, using: JSONDecoder())
        }
    }

    @Test func `a resource stub is found in its bundle, and a wrong name suggests the nearest`()
        async throws
    {
        let folder = try TemporaryFolder()
        for name in ["user.json", "repository.json"] {
            try Data("{}".utf8).write(to: folder.file(name))
        }
        let bundle = try #require(Bundle(path: folder.url.path))
        let transport = StubTransport(try .resource("user.json", in: bundle))
        #expect(try await transport.send(.test()).text == "{}")
        let error = #expect(throws: StubFileError.self) {
            try Stub.resource("usr.json", in: bundle)
        }
        #expect(
            error?.description.contains(
                "has no resource usr.json. The nearest is user.json. It has repository.json, user.json."
            ) == true)
    }

    @Test func `a stub of a folder is an error that names the folder`() async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: StubFileError.self) {
            try await StubTransport(.file(folder.url)).send(.test())
        }
        let start = "The stub's file \(folder.url.path) cannot be read: "
        let description = error?.description ?? ""
        #expect(description.hasPrefix(start))
        // The reason of the system follows.
        #expect(description.count > start.count)
    }

    @Test func `a missing resource of a subdirectory is an error that names the subdirectory`()
        throws
    {
        let folder = try TemporaryFolder()
        let json = folder.file("json")
        try FileManager.default.createDirectory(at: json, withIntermediateDirectories: false)
        try Data("{}".utf8).write(to: json.appendingPathComponent("user.json"))
        let bundle = try #require(Bundle(path: folder.url.path))
        let error = #expect(throws: StubFileError.self) {
            try Stub.resource("usr.json", in: bundle, subdirectory: "json")
        }
        #expect(
            error?.description.contains(
                "has no resource json/usr.json. The nearest is json/user.json. It has user.json. "
            ) == true)
    }

    @Test(arguments: [10, 11])
    func `a missing resource is an error that lists at most ten resources`(count: Int) throws {
        let folder = try TemporaryFolder()
        let names = (1...count).map { "\($0 + 10).json" }
        for name in names { try Data("{}".utf8).write(to: folder.file(name)) }
        let bundle = try #require(Bundle(path: folder.url.path))
        let error = #expect(throws: StubFileError.self) {
            try Stub.resource("none.txt", in: bundle)
        }
        let list = names.prefix(10).joined(separator: ", ") + (count > 10 ? ", …" : "")
        #expect(error?.description.contains(" It has \(list). ") == true)
    }

    @Test func `a text stub keeps repeated header fields and a given content type`() async throws {
        let transport = StubTransport(
            .text("a").header("Set-Cookie", "a=1").header("Set-Cookie", "b=2"),
            .text("b", headers: ["content-type": "text/x"]))
        let first = try await transport.send(.test())
        #expect(first.head.values(for: "set-cookie") == ["a=1", "b=2"])
        #expect(first.head.value(for: "content-type") == "text/plain; charset=utf-8")
        let second = try await transport.send(.test())
        #expect(second.head.values(for: "content-type") == ["text/x"])
    }

    @Test func `a failure stub turns a network NSError into a URLError and keeps any other`() async
    {
        let transport = StubTransport(
            .failure(NSError(domain: NSURLErrorDomain, code: -1001)),
            .failure(NSError(domain: "shop", code: 7)))
        await #expect(throws: URLError(.timedOut)) { try await transport.send(.test()) }
        let other = await #expect(throws: NSError.self) { try await transport.send(.test()) }
        #expect(other?.domain == "shop")
    }

    @Test func `a computed stub receives the request`() async throws {
        let transport = StubTransport(
            .computed { request in
                .text(
                    "\(request.urlRequest.httpMethod ?? "") \(request.urlRequest.url?.path ?? "")")
            })
        #expect(try await transport.send(.test("PUT", "https://a.test/x")).text == "PUT /x")
        let failing = StubTransport(.computed { _ in throw URLError(.cannotFindHost) })
        await #expect(throws: URLError(.cannotFindHost)) { try await failing.send(.test()) }
    }

    @Test func `a stubbed download is written to the request's file`() async throws {
        let folder = try TemporaryFolder()
        let log = ProgressLog()
        let file = folder.file("download")
        let transport = StubTransport(Stub.text("0123456789").chunked(4))
        let response = try await transport.send(
            .test(destination: .file(file), progress: log.note))
        guard case .file(file) = response.body else {
            Issue.record("The body is not in the file.")
            return
        }
        #expect(response.text == "0123456789")
        #expect(log.received == [4, 8, 10])
        #expect(log.last?.bytesToReceive == 10)
        #expect(response.metrics.bytesReceived == 10)
    }

    @Test func `a stubbed download does not overwrite an existing file`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("taken")
        try Data("mine".utf8).write(to: file)
        let error = await #expect(throws: URLError.self) {
            try await StubTransport(.text("yours")).send(.test(destination: .file(file)))
        }
        #expect(error?.code == .cannotCreateFile)
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    }

    @Test func `a stubbed download that is cut off leaves no file`() async throws {
        let folder = try TemporaryFolder()
        let log = ProgressLog()
        let transport = StubTransport(Stub.text("0123456789").chunked(4).cutOff(afterBytes: 6))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(
                .test(destination: .file(folder.file("part")), progress: log.note))
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(log.received == [4, 6])
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: [0, -5])
    func `a stub moves at least one byte at a time`(size: Int) async throws {
        let log = ProgressLog()
        let transport = StubTransport(Stub.text("abc").chunked(size))
        _ = try await transport.send(.test(progress: log.note))
        #expect(log.received == [1, 2, 3])
    }

    @Test(
        arguments: [
            (-1, 0, "0 bytes"), (0, 0, "0 bytes"), (1, 1, "1 byte"), (3, 3, "3 bytes"),
            (4, 3, "3 bytes"),
        ] as [(Int, Int64, String)])
    func `a stub that is cut off fails after at most all bytes of its body`(
        count: Int, received: Int64, size: String
    ) async throws {
        let log = ProgressLog()
        let transport = StubTransport(Stub.text("abc").chunked(1).cutOff(afterBytes: count))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(.test(progress: log.note))
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.localizedDescription == "The stub was cut off after \(size).")
        #expect(log.received.last ?? 0 == received)
    }

    @Test func `a computed stub has the given pace unless it sets its own`()
        async throws
    {
        for (own, expected) in [(nil, [4, 8, 10]), (5, [5, 10])] as [(Int?, [Int64])] {
            let log = ProgressLog()
            let transport = StubTransport(
                Stub.computed { _ in
                    let text = Stub.text("0123456789")
                    return own.map { text.chunked($0) } ?? text
                }.chunked(4))
            _ = try await transport.send(.test(progress: log.note))
            #expect(log.received == expected)
        }
    }

    @Test func `header fields can be added to sample responses and computed stubs`() async throws {
        let url = try #require(URL(string: "https://a.test/"))
        let sample = try #require(
            HTTPURLResponse(
                url: url, statusCode: 201, httpVersion: nil, headerFields: ["X-A": "1"]))
        let stubs = [
            Stub.sampleResponse(.response(sample, Data())),
            .computed { _ in .response(201, headers: ["X-A": "1"]) },
        ]
        for stub in stubs {
            let head = try await StubTransport(stub.header("X-B", "2")).send(.test()).head
            #expect(head.statusCode == 201)
            #expect(head.value(for: "X-A") == "1")
            #expect(head.value(for: "X-B") == "2")
        }
    }

    @Test func `a cancelled stubbed download leaves no file`() async throws {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let transport = StubTransport(
            Stub.text("0123456789").chunked(4, every: 1), clock: clock)
        let file = folder.file("part")
        let task = Task { try await transport.send(.test(destination: .file(file))) }
        await clock.waitForSleepers()
        clock.advance(by: 1)
        await clock.waitForSleeps(2)
        #expect(try Data(contentsOf: file).count == 4)
        task.cancel()
        await #expect(throws: URLError(.cancelled)) { try await task.value }
        #expect(folder.names.isEmpty)
    }

    @Test func `a stub larger than the request's memory limit is an error`() async {
        let error = await #expect(throws: URLError.self) {
            try await StubTransport(.text("0123")).send(.test(destination: .memory(limit: 3)))
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test func `a stubbed upload reports progress, from memory and from a file`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("upload")
        try Data(count: 9).write(to: file)
        for body in [RequestBody.data(Data(count: 9)), .file(file)] {
            let log = ProgressLog()
            let response = try await StubTransport(.response(204).chunked(4)).send(
                .test("POST", body: body, progress: log.note))
            #expect(log.sent == [4, 8, 9])
            #expect(log.last?.bytesToSend == 9)
            #expect(response.metrics.bytesSent == 9)
        }
    }

    @Test func `a stubbed upload of a link sends the linked file`() async throws {
        let folder = try TemporaryFolder()
        let (file, link) = (folder.file("upload"), folder.file("link"))
        try Data(count: 9).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let transport = StubTransport(.response(204))
        let response = try await transport.send(.test("POST", body: .file(link)))
        #expect(response.metrics.bytesSent == 9)
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: URLError.self) {
            try await transport.send(.test("POST", body: .file(link)))
        }
        #expect(error?.code == .fileDoesNotExist)
    }

    @Test func `a stubbed upload of a missing file fails as on the network`() async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: URLError.self) {
            try await StubTransport(.response()).send(
                .test("POST", body: .file(folder.file("none"))))
        }
        #expect(error?.code == .fileDoesNotExist)
    }

    @Test func `a stubbed redirect is returned as the response`() async throws {
        let transport = StubTransport(.response(302, headers: ["Location": "/new"]))
        let response = try await transport.send(.test())
        #expect(response.head.statusCode == 302)
        #expect(transport.requests.count == 1)
    }

    @Test func `a stub delayed by the request's timeout answers, and a timeout of 0 has no effect`()
        async throws
    {
        let clock = TestClock(movesByItself: true)
        let transport = StubTransport(.response(204).delayed(by: 30), clock: clock)
        for timeout in [30, 0] as [TimeInterval] {
            #expect(try await transport.send(.test(timeout: timeout)).head.statusCode == 204)
        }
        #expect(clock.sleeps == [30, 30])
    }

    @Test func `a stub delayed beyond the request's timeout times out`() async {
        let clock = TestClock(movesByItself: true)
        let transport = StubTransport(
            .response().delayed(by: 31), .silence, .response().delayed(by: 29), clock: clock)
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) {
                try await transport.send(.test(timeout: 30))
            }
            #expect(error?.code == .timedOut)
        }
        await #expect(throws: Never.self) { try await transport.send(.test(timeout: 30)) }
        #expect(clock.sleeps == [30, 30, 29])
    }
}
