import Moya
import MoyaMockServer
import MoyaTesting
import Testing

// Written like an app for Moya, with `import Moya` as the only import of this library.

private enum Service {
    case show(id: Int)
    case create(name: String)
}

extension Service: TargetType {
    var baseURL: URL { URL(string: "https://api.example.test") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .show(let id): "/things/\(id)"
        case .create: "/things"
        }
    }
    var method: Moya.Method {
        switch self {
        case .show: .get
        case .create: .post
        }
    }
    var task: Task {
        switch self {
        case .show: .requestPlain
        case .create(let name):
            .requestParameters(parameters: ["name": name], encoding: JSONEncoding.default)
        }
    }
    var sampleData: Data { Data("{\"name\":\"sample\"}".utf8) }
    var headers: [String: String]? { ["X-Client": "tests"] }
}

@Suite struct SourceCompatibilityTests {
    @Test func `a provider can be created without arguments`() {
        let provider = MoyaProvider<Service>()
        #expect(provider.plugins.isEmpty)
    }

    @Test func `providers share one default transport`() throws {
        let first = MoyaProvider<Service>().transport as AnyObject
        let second = MoyaProvider<MultiTarget>().transport as AnyObject
        #expect(ObjectIdentifier(first) == ObjectIdentifier(second))
    }

    @Test func `an immediate stub completes before request returns`() throws {
        let provider = MoyaProvider<Service>(stubClosure: MoyaProvider.immediatelyStub)
        let answer = Answer()
        provider.request(.show(id: 1)) { result in
            answer.result = result
        }
        let response: Moya.Response = try #require(try answer.result?.get())
        #expect(try response.mapString(atKeyPath: "name") == "sample")
    }

    @Test func `Task with a closure starts a Swift concurrency task`() async throws {
        let plain = Task { await Task.yield() }
        await plain.value
        let throwing = Task {
            try await Task.sleep(nanoseconds: 1)
            try Task.checkCancellation()
            return 42
        }
        #expect(try await throwing.value == 42)
        #expect(Task.isCancelled == false)
        #expect(await Task.detached { 7 }.value == 7)
    }

    @Test func `Task as the type of a target's task is RequestTask`() {
        let task: Task = .requestPlain
        let other: Moya.Task = .requestData(Data())
        guard case .none = task.body, case .data = other.body else {
            Issue.record("The bodies are not what the tasks say.")
            return
        }
    }

    @Test func `the default transport reaches a server`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let url = server.url
        let provider = MoyaProvider<Service>(endpointClosure: { target in
            Endpoint(
                url: url.absoluteString + "/anything",
                sampleResponseClosure: { .networkResponse(200, Data()) },
                method: target.method, task: target.task, httpHeaderFields: target.headers,
                timeoutInterval: 120)
        })
        let echo = try await provider.request(.create(name: "new"), as: Echo.self)
        #expect(echo.data == "{\"name\":\"new\"}")
        #expect(echo.headers["x-client"] == "tests")
    }
}

/// A result that is set and read on one thread.
private final class Answer: @unchecked Sendable {
    // Safe: an immediate stub calls its completion on the calling thread, before `request` returns.
    var result: Result<Moya.Response, MoyaError>?
}
