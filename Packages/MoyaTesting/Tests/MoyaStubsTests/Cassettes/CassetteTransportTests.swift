import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite struct CassetteTransportTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let network = StubTransport()

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("deep/er/shop.har")
        let count = Locked(0)
        network.on(.get, "/{name}").respond { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(request.parameters["name"] ?? "") \(number)").header("X-A", "1")
        }
        network.on(.get, "/broken/{name}").respond(.failure(.cannotFindHost))
    }

    private func get(_ transport: any Transport, _ path: String) async throws -> String {
        try await transport.send(.test("GET", "https://shop.test/\(path)")).text
    }

    private var entries: [[String: Any]] {
        get throws {
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            let log = (json as? [String: Any])?["log"] as? [String: Any]
            return try #require(log?["entries"] as? [[String: Any]])
        }
    }

    @Test func `mode once records a new cassette and plays an existing one`() async throws {
        let first = try network.cassette(at: file)
        #expect(try await get(first, "a") == "a 1")
        #expect(try await get(first, "b") == "b 2")
        #expect(first.allPlayed)

        let second = try network.cassette(at: file)
        #expect(!second.allPlayed)
        let response = try await second.send(.test("GET", "https://shop.test/b"))
        #expect(response.text == "b 2")
        #expect(response.head.statusCode == 200)
        #expect(response.head.value(for: "x-a") == "1")
        #expect(second.unplayed == ["GET https://shop.test/a"])
        #expect(try await get(second, "a") == "a 1")
        #expect(second.allPlayed)
        #expect(network.requests.count == 2)
        await #expect(throws: CassetteError.self) { try await get(second, "c") }
        #expect(network.requests.count == 2)
    }

    @Test func `each episode is played once and in order unless repeats are allowed`() async throws
    {
        let recording = try network.cassette(at: file)
        for _ in 0..<2 { _ = try await get(recording, "a") }
        let playing = try CassetteTransport(at: file, mode: .none)
        #expect(try await get(playing, "a") == "a 1")
        #expect(try await get(playing, "a") == "a 2")
        let error = await #expect(throws: CassetteError.self) { try await get(playing, "a") }
        #expect(
            error?.description.hasPrefix(
                "The cassette shop.har has 2 for GET https://shop.test/a, and all were played "
                    + "already.\n") == true)
        var options = CassetteTransport.Options()
        options.allowsRepeats = true
        let repeating = try CassetteTransport(at: file, mode: .none, options: options)
        for expected in ["a 1", "a 2", "a 2"] {
            #expect(try await get(repeating, "a") == expected)
        }
    }

    @Test func `a second request for the only episode is an error that says it was played`()
        async throws
    {
        _ = try await get(try network.cassette(at: file), "a")
        let playing = try CassetteTransport(at: file, mode: .none)
        _ = try await get(playing, "a")
        let error = await #expect(throws: CassetteError.self) { try await get(playing, "a") }
        #expect(
            error?.description.hasPrefix(
                "The cassette shop.har has 1 for GET https://shop.test/a, and it was played "
                    + "already.\n") == true)
    }

    @Test
    func `a missing episode is an error with the request, the recordings and the nearest one`()
        async throws
    {
        let recording = try network.cassette(at: file)
        for name in ["users", "teams"] { _ = try await get(recording, name) }
        let playing = try CassetteTransport(at: file, mode: .none)
        _ = try await get(playing, "users")
        let error = await #expect(throws: CassetteError.self) {
            try await get(playing, "team?token=abc")
        }
        #expect(
            error?.description == """
                The cassette shop.har has nothing for GET https://shop.test/team?token=*** \
                (compared by method, URL).
                Recorded:
                  1. GET https://shop.test/users: 200, played
                  2. GET https://shop.test/teams: 200
                The nearest is number 2: the URL is https://shop.test/team?token=***, not \
                https://shop.test/teams.
                Record it: CassetteTransport(at: file, mode: .newEpisodes, recording: transport).
                """)
    }

    @Test func `mode newEpisodes plays recorded episodes and records new episodes`() async throws {
        _ = try await get(try network.cassette(at: file), "a")
        let more = try network.cassette(at: file, mode: .newEpisodes)
        #expect(try await get(more, "a") == "a 1")
        #expect(try await get(more, "b") == "b 2")
        let playing = try CassetteTransport(at: file, mode: .none)
        #expect(try await get(playing, "a") == "a 1")
        #expect(try await get(playing, "b") == "b 2")
        #expect(network.requests.count == 2)
    }

    @Test func `mode all records every request anew`() async throws {
        _ = try await get(try network.cassette(at: file), "a")
        let anew = try network.cassette(at: file, mode: .all)
        #expect(try await get(anew, "a") == "a 2")
        let playing = try CassetteTransport(at: file, mode: .none)
        #expect(playing.unplayed == ["GET https://shop.test/a"])
        #expect(try await get(playing, "a") == "a 2")
    }

    @Test func `playing without a cassette file is an error`() throws {
        for mode in [CassetteTransport.Mode.none, .once, .newEpisodes] {
            let error = #expect(throws: CassetteError.self) {
                try CassetteTransport(at: file, mode: mode)
            }
            #expect(error?.description.hasPrefix("There is no cassette at \(file.path).") == true)
        }
    }

    @Test func `recording everything without a transport is an error`() {
        let error = #expect(throws: CassetteError.self) {
            try CassetteTransport(at: file, mode: .all)
        }
        #expect(error?.description.hasPrefix("Recording needs a transport: ") == true)
    }

    @Test func `secrets of requests and responses are not written and do not affect matching`()
        async throws
    {
        let network = StubTransport(
            .text(#"{"access_token":"tok","name":"Ash"}"#)
                .header("Set-Cookie", "session=coosecret")
                .header("Location", "https://a.test/?code=loc"))
        func request(_ secret: String) -> TransportRequest {
            .test(
                "POST", "https://me:pass\(secret)@shop.test/login?api_key=key\(secret)&page=1",
                headers: ["Authorization": "Bearer auth\(secret)", "X-Plain": "seen"],
                body: .data(Data(#"{"password":"word\#(secret)","name":"Ash"}"#.utf8)))
        }
        var options = CassetteTransport.Options()
        options.matchers = [.method, .url, .body, .header("Authorization")]
        let recording = try network.cassette(at: file, options: options)
        let answer = try await recording.send(request("one"))
        #expect(answer.text.contains("tok"))
        let written = try String(contentsOf: file, encoding: .utf8)
        for secret in ["passone", "keyone", "authone", "wordone", "tok\\", "coosecret", "loc\""] {
            #expect(!written.contains(secret))
        }
        #expect(written.contains("page=1"))
        #expect(written.contains("seen"))

        let playing = try CassetteTransport(at: file, mode: .none, options: options)
        let played = try await playing.send(request("two"))
        #expect(played.text == #"{"access_token":"***","name":"Ash"}"#)
        #expect(played.head.value(for: "set-cookie") == "***")
    }

    @Test(arguments: ["text/html", "application/xml", "text/plain", ""])
    func `text without secrets is recorded unchanged`(type: String) async throws {
        let text = "<a href=\"?page=2&x=1\">&colour=red&</a>"
        let network = StubTransport(
            .response(200, headers: ["Content-Type": type], data: Data(text.utf8)))
        _ = try await get(try network.cassette(at: file), "a")
        #expect(try await get(try CassetteTransport(at: file, mode: .none), "a") == text)
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; a=b",
    ])
    func `secrets in form responses are masked`(type: String) async throws {
        let network = StubTransport(
            .response(200, headers: ["Content-Type": type], data: Data("password=hidden".utf8)))
        _ = try await get(try network.cassette(at: file), "a")
        #expect(
            try await get(try CassetteTransport(at: file, mode: .none), "a") == "password=***")
    }

    @Test func `a cassette does not play exchanges that it has recorded itself`() async throws {
        var options = CassetteTransport.Options()
        options.allowsRepeats = true
        let network = StubTransport(.response(200, data: Data(#"{"token":"real"}"#.utf8)))
        let cassette = try network.cassette(at: file, options: options)
        for _ in 0..<2 { #expect(try await get(cassette, "a") == #"{"token":"real"}"#) }
        #expect(try entries.count == 2)
    }

    @Test func `the caller decides how bodies are masked`() async throws {
        var options = CassetteTransport.Options()
        options.maskBody = { body, type in type.hasPrefix("text/plain") ? Data("hidden".utf8) : body
        }
        _ = try await get(try network.cassette(at: file, options: options), "a")
        #expect(try await get(try CassetteTransport(at: file, mode: .none), "a") == "hidden")
    }

    @Test func `binary bodies are played unchanged`() async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        let network = StubTransport(.response(200, data: bytes))
        var options = CassetteTransport.Options()
        options.matchers = [.body]
        let request = TransportRequest.test("PUT", body: .data(bytes))
        _ = try await network.cassette(at: file, options: options).send(request)
        let response = try await CassetteTransport(at: file, mode: .none, options: options)
            .send(request)
        guard case .data(bytes) = response.body else {
            Issue.record("The bytes are others.")
            return
        }
        let content = try #require(
            (entries.first?["response"] as? [String: Any])?["content"] as? [String: Any])
        #expect(content["encoding"] as? String == "base64")
    }

    @Test func `downloads are recorded and played into files`() async throws {
        let one = folder.file("one")
        let two = folder.file("two")
        let request = "https://shop.test/a"
        _ = try await network.cassette(at: file).send(
            .test("GET", request, destination: .file(one)))
        _ = try await CassetteTransport(at: file, mode: .none)
            .send(.test("GET", request, destination: .file(two)))
        #expect(try String(contentsOf: one, encoding: .utf8) == "a 1")
        #expect(try String(contentsOf: two, encoding: .utf8) == "a 1")
    }

    @Test func `failed requests are not recorded`() async throws {
        let recording = try network.cassette(at: file)
        await #expect(throws: URLError(.cannotFindHost)) { try await get(recording, "broken/a") }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a cassette that cannot be written is an error and leaves no download`()
        async throws
    {
        let blocked = folder.file("blocked")
        try Data().write(to: blocked)
        let cassette = try network.cassette(at: blocked.appendingPathComponent("a.har"))
        let download = folder.file("download")
        let error = await #expect(throws: CassetteError.self) {
            try await cassette.send(
                .test("GET", "https://shop.test/a", destination: .file(download)))
        }
        #expect(error?.description.contains("a.har cannot be written: ") == true)
        #expect(folder.names == ["blocked"])
    }

    @Test(arguments: ["{", "[]", #"{"log":{}}"#, ""])
    func `a cassette file that is not an archive is an error that names the file`(text: String)
        throws
    {
        let bad = folder.file("bad.har")
        try Data(text.utf8).write(to: bad)
        let error = #expect(throws: CassetteError.self) { try CassetteTransport(at: bad) }
        #expect(error?.description.hasPrefix("The cassette bad.har is not ") == true)
    }

    @Test func `a recorded archive has every field that the HAR format requires`() async throws {
        _ = try await get(try network.cassette(at: file), "a?x=1")
        let entry = try #require(try entries.first)
        for name in ["startedDateTime", "time", "request", "response", "cache", "timings"] {
            #expect(entry[name] != nil)
        }
        let request = try #require(entry["request"] as? [String: Any])
        for name in [
            "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize",
            "bodySize",
        ] {
            #expect(request[name] != nil)
        }
        let query = try #require(request["queryString"] as? [[String: String]])
        #expect(query == [["name": "x", "value": "1"]])
        let response = try #require(entry["response"] as? [String: Any])
        for name in [
            "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL",
            "headersSize", "bodySize",
        ] {
            #expect(response[name] != nil)
        }
        #expect(response["status"] as? Int == 200)
    }

    @Test(arguments: [0, 5])
    func `a recorded archive has the size of a request's body`(count: Int) async throws {
        let body = RequestBody.data(Data(repeating: UInt8(ascii: "a"), count: count))
        let network = StubTransport { try .test($0) }
        _ = try await network.cassette(at: file).send(.test("POST", body: body))
        let request = try #require(try entries.first?["request"] as? [String: Any])
        #expect(request["bodySize"] as? Int == count)
    }

    @Test func `the URL after redirects is recorded`() async throws {
        let elsewhere = try #require(URL(string: "https://shop.test/elsewhere"))
        let network = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: 200, url: elsewhere))
        }
        let recorded = try await network.cassette(at: file).send(.test())
        let played = try await CassetteTransport(at: file, mode: .none).send(.test())
        #expect(recorded.head.url == elsewhere)
        #expect(played.head.url == elsewhere)
    }

    @Test func `200 exchanges from 8 tasks are all recorded`() async throws {
        let recording = try network.cassette(at: file)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<25 {
                        _ = try await recording.send(
                            .test("GET", "https://shop.test/\(task)-\(index)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let playing = try CassetteTransport(at: file, mode: .none)
        #expect(playing.unplayed.count == 200)
        for task in 0..<8 {
            for index in 0..<25 {
                #expect(try await get(playing, "\(task)-\(index)").hasPrefix("\(task)-\(index) "))
            }
        }
        #expect(playing.allPlayed)
        #expect(folder.names == ["deep"])
    }
}
