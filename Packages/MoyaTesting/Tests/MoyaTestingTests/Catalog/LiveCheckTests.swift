import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaTesting

@Suite struct LiveCheckTests {
    private let provider = MoyaProvider<Forum>(transport: CurlTransport())

    @Test func `a live check sends targets to the given base URL and accepts expected responses`()
        async throws
    {
        let server = try MockServer { _ in .json([Post(id: 1, title: "Hello")]) }
        defer { server.stop() }
        let catalog = TargetCatalog<Forum> { Forum.search("a").expecting([Post].self) }
        let report = await catalog.checkLive(
            with: provider, at: server.url.appendingPathComponent("stage"))
        #expect(report.findings == [])
        #expect(report.rows.first?.status == 200)
        #expect(report.rows.first?.metrics?.firstByte != nil)
        #expect(server.requests.map(\.target) == ["/stage/posts?q=a"])
    }

    @Test func `a live check reports refused, undecodable and missing responses`()
        async throws
    {
        let server = try MockServer { request in
            switch request.target {
            case "/posts": .json(["error": "gone", "password": "hidden"], status: 410)
            case "/posts/1": .json(["id": 1])
            default: .silence(then: .close)
            }
        }
        defer { server.stop() }
        let catalog = TargetCatalog<Forum> {
            Forum.posts
            Forum.post(1).expecting(Post.self)
            Forum.delete
        }
        let report = await catalog.checkLive(with: provider, at: server.url)
        let reasons = report.problems.map(\.reason)
        #expect(reasons.count == 3)
        #expect(
            reasons[0] == "The answer is 410, which its validation refuses: "
                + #"{"error":"gone","password":"***"}"#)
        #expect(
            reasons[1]
                == "The body of the answer does not decode into Post: no value for key \"title\": "
                + #"{"id":1}"#)
        #expect(reasons[2].hasPrefix("There is no answer: "))
        #expect(report.rows.allSatisfy { $0.duration != nil })
    }

    @Test func `a live check compares responses with the OpenAPI document`() async throws {
        let document = try OpenAPIDocument(
            json: Data(
                #"""
                {"openapi": "3.0.3", "servers": [{"url": "/v1"}], "paths": {"/posts/{id}": {"get":
                 {"responses": {"200": {"content": {"application/json": {"schema":
                  {"required": ["title"]}}}}}}}}}
                """#.utf8))
        let server = try MockServer()
        defer { server.stop() }
        server.on("GET", "/stage/posts/1") { _ in .json(["title": "Hello"]) }
        server.on("GET", "/stage/posts/2") { _ in .json(["id": 2]) }
        let report = await TargetCatalog([Forum.post(1), .post(2)]).checkLive(
            with: provider, at: server.url.appendingPathComponent("stage"), against: document)
        #expect(report.rows.map { $0.outcome(of: .contract) } == [.passed, .failed])
        #expect(report.problems.map(\.reason) == ["title is missing."])
        // One time bar for each of the two requests.
        #expect(report.html.components(separatedBy: "class=\"bar\"").count == 3)
    }

    @Test(arguments: TargetCatalog(Shop.self).check().rows)
    func `each target of a catalog passes as its own test case`(row: CatalogReport.Row) {
        #expect(row.findings == [])
    }

    @Test func `a target without validation is checked against the allowed status codes`()
        async throws
    {
        let server = try MockServer { _ in MockResponse(status: 404) }
        defer { server.stop() }
        var target = Plain()
        target.validationType = .none
        let catalog = TargetCatalog([target])
        let provider = MoyaProvider<Plain>(transport: CurlTransport())
        let refused = await catalog.checkLive(with: provider, at: server.url)
        #expect(
            refused.problems.map(\.reason) == ["The answer is 404, and allowed are 200 to 399."])
        let allowed = await catalog.checkLive(with: provider, at: server.url, allowing: 200..<500)
        #expect(allowed.problems == [])
    }

    @Test(arguments: ["https://upload.test/posts", "https://forum.test/v10/posts"])
    func `a target whose URL is not below its base URL is not sent`(url: String) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let far = StubTransport(.response())
        let provider = MoyaProvider<Forum>(
            endpointClosure: { _ in
                Endpoint(
                    url: url, sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: .get, task: .requestPlain, httpHeaderFields: nil)
            }, transport: far)
        let report = await TargetCatalog([Forum.posts]).checkLive(with: provider, at: server.url)
        #expect(
            report.problems.map(\.reason) == [
                "It was not sent: its URL does not begin with its baseURL https://forum.test/v1, "
                    + "so it cannot be sent to another."
            ])
        #expect(far.requests.isEmpty)
        #expect(server.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a live check sends at most the given number of concurrent requests`() async throws {
        let transport = CountingTransport()
        let catalog = TargetCatalog((1...40).map { Forum.post($0) })
        let report = await catalog.checkLive(
            with: MoyaProvider(transport: transport), concurrency: 3)
        #expect(transport.most == 3)
        #expect(report.rows.map(\.url).last == "https://forum.test/v1/posts/40")
        #expect(report.problems == [])
    }
}

/// Answers when three requests are in flight, or when no more can come.
private final class CountingTransport: Transport {
    private struct Counts {
        var underWay = 0
        var total = 0
        var most = 0
        /// Number of times that the requests in flight were answered together.
        var releases = 0
    }

    private let counts = Locked(Counts())

    var most: Int { counts.withLock(\.most) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let release = counts.withLock { counts -> Int in
            counts.underWay += 1
            counts.total += 1
            counts.most = max(counts.most, counts.underWay)
            if counts.underWay < 3, counts.total < 40 { return counts.releases + 1 }
            counts.releases += 1
            return counts.releases
        }
        defer { counts.withLock { $0.underWay -= 1 } }
        try await until { counts.withLock { $0.releases >= release } }
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        return TransportResponse(head: ResponseHead(statusCode: 200, url: url))
    }
}
