import Moya
import MoyaMockServer
import Testing

private struct Page: TargetType {
    let baseURL: URL
    var path: String { "/anything" }
    var method: Moya.Method { .get }
    var task: Task { .requestPlain }
    var headers: [String: String]? { ["X-Client": "tests"] }
    var timeoutInterval: TimeInterval? { 120 }
}

/// Stores the session's header fields, as the logger of Moya's documents reads them.
private final class Reader: PluginType, @unchecked Sendable {
    // Safe: written before the request is sent, and read after its response.
    private(set) var fields: [String: String] = [:]

    func willSend(_ request: any RequestType, target: any TargetType) {
        fields = request.sessionHeaders
    }
}

@Suite struct SessionHeadersTests {
    @Test(arguments: Way.allCases)
    func `a plugin reads the header fields that the transport adds to the request`(
        way: Way
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let reader = Reader()
        let provider = MoyaProvider<Page>(transport: way.transport.retrying(), plugins: [reader])
        _ = try await provider.request(Page(baseURL: server.url))
        let sent = try #require(server.requests.last)
        #expect(reader.fields["User-Agent"]?.contains("Moya") == true)
        for (name, value) in reader.fields { #expect(sent.value(for: name) == value, "\(name)") }
        #if os(Linux)
            guard case .curl = way else { return }
            let others = ["host", "connection", "x-client"]
            let names = sent.headers.map { $0.name.lowercased() }.filter { !others.contains($0) }
            #expect(Set(names) == Set(reader.fields.keys.map { $0.lowercased() }))
        #endif
    }

    @Test func `a session names the header fields of its configuration`() {
        let configuration = URLSessionConfiguration.default
        configuration.headers = ["X-Shop": "7"]
        #expect(Session(configuration: configuration).sessionHeaders == ["X-Shop": "7"])
        #expect(
            MoyaProvider<Page>.defaultSession().sessionHeaders == HTTPHeaders.default.dictionary)
    }

    @Test func `a stub adds no header fields`() async throws {
        let reader = Reader()
        let provider = MoyaProvider<Page>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [reader])
        _ = try await provider.request(
            Page(baseURL: try #require(URL(string: "http://host.test"))))
        #expect(reader.fields.isEmpty)
    }
}
