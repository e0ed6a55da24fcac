import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScriptedTransportTests {
    private let issues = Issues()
    private let far: ScriptedTransport

    init() {
        far = ScriptedTransport(reporter: issues.reporter)
    }

    @Test func `a script answers its exchanges in order`() async throws {
        far.expect(.get, "/users/{id}").respond(.response(401))
        far.expect(.method(.post) && .header("X-Key")).respond(.text("b"))
        far.expect(.get, "/users/1").fail(.timedOut)
        #expect(try await far.send(.test("GET", "https://a.test/users/1")).head.statusCode == 401)
        #expect(try await far.send(.test("POST", headers: ["X-Key": "1"])).text == "b")
        await #expect(throws: URLError(.timedOut)) {
            try await far.send(.test("GET", "https://a.test/users/1"))
        }
        far.finish()
        #expect(issues.messages.isEmpty)
        #expect(far.requests.count == 3)
    }

    @Test func `a scripted request can be awaited, inspected and then answered`() async throws {
        let exchange = far.expect(.put, "/users/{id}")
        let far = far
        let answer = Task {
            try await far.send(
                .test("PUT", "https://a.test/users/7?v=2", body: .data(Data("[1]".utf8))))
        }
        let request = try await exchange.request()
        #expect(request.parameters == ["id": "7"])
        #expect(request.method == .put)
        #expect(request.url?.path == "/users/7")
        #expect(request.query("v") == "2")
        #expect(try request.json([Int].self) == [1])
        exchange.respond(.response(204))
        #expect(try await answer.value.head.statusCode == 204)
        #expect(try await exchange.request().parameters == ["id": "7"])
        far.finish()
        #expect(issues.messages.isEmpty)
    }

    @Test func `a cancelled scripted request needs no answer`() async throws {
        let exchange = far.expect(.get, "/a")
        let sending = Task { [far] in try await far.send(.test("GET", "http://host.test/a")) }
        _ = try await exchange.request()
        sending.cancel()
        await #expect(throws: URLError(.cancelled)) { try await sending.value }
        far.finish()
        #expect(issues.messages.isEmpty)
    }

    @Test func `a request out of order is an error with the script and its progress`() async throws
    {
        far.expect(.get, "/a").respond(.response())
        far.expect(.get, "/b").respond(.response())
        let line = #line - 2
        _ = try await far.send(.test("GET", "http://host.test/a"))
        let error = await #expect(throws: ScriptError.self) {
            try await far.send(.test("POST", "http://host.test/c?token=secret"))
        }
        let file = "ScriptedTransportTests.swift"
        let text = """
            POST http://host.test/c?token=*** came where GET /b (\(file):\(line + 1)) is expected: \
            the method is POST, not GET; the path is /c, not /b.
            The script:
              1. GET /a (\(file):\(line)): came
              2. GET /b (\(file):\(line + 1)): expected now
            """
        #expect(error?.description == text)
        far.finish()
        #expect(
            issues.messages
                == [text, "Expected and never came:\n  - GET /b (\(file):\(line + 1))"])
    }

    @Test func `a request after the end of the script is an error`() async throws {
        far.expect(.get, "/a").respond(.response())
        _ = try await far.send(.test("GET", "http://host.test/a"))
        let error = await #expect(throws: ScriptError.self) {
            try await far.send(.test("GET", "http://host.test/a"))
        }
        #expect(
            error?.description.hasPrefix(
                "GET http://host.test/a came, and nothing more is expected.") == true)
    }

    @Test func `waiting for a request fails when another request arrives`() async {
        let exchange = far.expect(.get, "/a")
        let waiting = Task { try await exchange.request() }
        let far = far
        _ = try? await far.send(.test("GET", "http://host.test/b"))
        await #expect(throws: ScriptError.self) { try await waiting.value }
        await #expect(throws: ScriptError.self) { try await exchange.request() }
    }

    @Test func `a scripted request held without an answer can be cancelled`() async throws {
        let exchange = far.expect(.get, "/path")
        let far = far
        let task = Task { try await far.send(.test()) }
        _ = try await exchange.request()
        task.cancel()
        await #expect(throws: URLError(.cancelled)) { try await task.value }
        exchange.respond(.response())
        far.finish()
        #expect(issues.messages.isEmpty)
    }

    @Test func `waiting for a scripted request can be cancelled`() async {
        let exchange = far.expect(.get, "/path")
        let task = Task { try await exchange.request() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `finishing a script fails its unanswered requests and reports an issue`()
        async throws
    {
        let exchange = far.expect(.get, "/path")
        let far = far
        let task = Task { try await far.send(.test()) }
        _ = try await exchange.request()
        far.finish()
        await #expect(throws: ScriptError.self) { try await task.value }
        #expect(issues.messages.count == 1)
        #expect(issues.messages.first?.hasPrefix("Came and was never answered:\n") == true)
        await #expect(throws: ScriptError.self) { try await far.send(.test()) }
    }

    @Test func `a request after the script was finished is an error that says so`() async throws {
        far.expect(.get, "/path").respond(.response())
        let line = #line - 1
        far.finish()
        let error = await #expect(throws: ScriptError.self) { try await far.send(.test()) }
        #expect(
            error?.description.hasPrefix(
                "GET http://host.test/path came, and the script is finished.\n") == true)
        #expect(
            issues.messages == [
                "Expected and never came:\n  - GET /path (ScriptedTransportTests.swift:\(line))"
            ])
    }

    @Test func `a second answer to an exchange is reported`() {
        let exchange = far.expect(.get, "/path")
        exchange.respond(.response())
        exchange.respond(.response(500))
        #expect(issues.messages == ["GET /path has an answer already."])
    }

    @Test func `delays of a scripted transport use its clock`() async throws {
        let clock = TestClock()
        let far = ScriptedTransport(clock: clock)
        far.expect(.get, "/path").respond(.response(204).delayed(by: 30))
        async let answer = far.send(.test())
        await clock.waitForSleepers()
        clock.advance(by: 30)
        #expect(try await answer.head.statusCode == 204)
    }
}
