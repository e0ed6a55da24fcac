import Moya
import Testing

// An extension that many programs for Moya have, in one of two forms.

private enum Ping: TargetType {
    case ping

    var baseURL: URL { URL(string: "https://api.example.test") ?? URL(fileURLWithPath: "/") }
    var path: String { "/ping" }
    var method: Moya.Method { .get }
    var task: Task { .requestPlain }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data("pong".utf8) }
}

extension MoyaProvider {
    fileprivate func request(_ target: Target) async -> Result<Response, MoyaError> {
        await withCheckedContinuation { continuation in
            request(target) { continuation.resume(returning: $0) }
        }
    }
}

@Suite struct OwnRequestTests {
    private let provider = MoyaProvider<Ping>(stubClosure: MoyaProvider.immediatelyStub)

    @Test func `a program's own asynchronous request that returns a Result takes precedence`()
        async throws
    {
        let result = await provider.request(.ping)
        #expect(try result.get().mapString() == "pong")
        switch await provider.request(.ping) {
        case .success(let response): #expect(response.statusCode == 200)
        case .failure(let error): Issue.record(error)
        }
    }

    @Test func `the library's request is called where a Response is asked for`() async throws {
        let response: Response = try await provider.request(.ping)
        #expect(response.statusCode == 200)
    }
}
