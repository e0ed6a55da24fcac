import Moya
import MoyaMockServer
import Testing

private struct Page: TargetType {
    let baseURL: URL
    var path = "/redirect/2"
    var task = Moya.Task.requestPlain
    var headers: [String: String]? { nil }
    var method: Moya.Method { .get }
    var timeoutInterval: TimeInterval? { 120 }
}

@Suite struct RedirectTests {
    @Test(arguments: [true, false])
    func `the task of a target decides whether redirects are followed, refused or limited`(
        isOnCurl: Bool
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let transport: any Transport = isOnCurl ? CurlTransport() : FoundationTransport()
        let provider = MoyaProvider<Page>(transport: transport)
        var page = Page(baseURL: server.url)
        #expect(try await provider.request(page).statusCode == 200)
        page.task = .requestPlain.redirecting(.refuse)
        #expect(try await provider.request(page).statusCode == 302)
        page.task = .requestPlain.redirecting(.follow(limit: 1))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(page) }
        guard case .underlying(let cause as URLError, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .httpTooManyRedirects)
    }

    @Test func `the endpoint closure of a provider can refuse redirects for all targets`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let provider = MoyaProvider<Page>(endpointClosure: { target in
            let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
            return endpoint.replacing(task: endpoint.task.redirecting(.refuse))
        })
        #expect(try await provider.request(Page(baseURL: server.url)).statusCode == 302)
    }
}
