import Moya
import MoyaMockServer
import Testing

private enum Account {
    case signIn(URL)
    case me(URL)
}

extension Account: TargetType {
    var baseURL: URL {
        switch self {
        case .signIn(let url), .me(let url): url
        }
    }
    var path: String {
        switch self {
        case .signIn: "/sign-in"
        case .me: "/me"
        }
    }
    var method: Moya.Method {
        switch self {
        case .signIn: .post
        case .me: .get
        }
    }
    var task: Task { .requestPlain }
    var headers: [String: String]? { nil }
    var timeoutInterval: TimeInterval? { 120 }
}

/// Defaults of a provider without a transport, on which code written for Moya relies.
@Suite struct DefaultTransportTests {
    private func makeServer(_ session: String) throws -> MockServer {
        try MockServer { request in
            request.path == "/sign-in"
                ? MockResponse(
                    headers: [HeaderField(name: "Set-Cookie", value: "\(session)=open; Path=/")])
                : .text(request.value(for: "Cookie") ?? "")
        }
    }

    @Test func `providers with the default transport share cookies`() async throws {
        // A unique cookie name, because the cookies are shared by the whole process.
        let name = "s\(UUID().uuidString.prefix(8))"
        let server = try makeServer(name)
        defer { server.stop() }
        _ = try await MoyaProvider<Account>().request(.signIn(server.url))
        let answer = try await MoyaProvider<Account>().request(.me(server.url)).mapString()
        #expect(answer.contains("\(name)=open"))
    }

    @Test func `a transport given to a provider shares no cookies with the default transport`()
        async throws
    {
        let server = try makeServer("s\(UUID().uuidString.prefix(8))")
        defer { server.stop() }
        _ = try await MoyaProvider<Account>().request(.signIn(server.url))
        for way in Way.allCases {
            let provider = MoyaProvider<Account>(transport: way.transport)
            #expect(try await provider.request(.me(server.url)).mapString() == "")
        }
    }

    @Test func `the default transport sends the User-Agent of HTTPHeaders.default`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        _ = try await MoyaProvider<Account>().request(.me(server.url))
        let agent = try #require(server.requests.last?.value(for: "User-Agent"))
        #expect(agent == HTTPHeaders.default["User-Agent"])
    }
}
