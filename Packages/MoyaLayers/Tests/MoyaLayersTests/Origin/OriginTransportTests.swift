import Foundation
import MoyaCore
import MoyaLayers
import MoyaMockServer
import MoyaTestSupport
import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct OriginTransportTests {
    private struct Item: TargetType {
        var baseURL = url("https://api.shop.test/v1")
        var path = "/items/a%2Fb"
        var method = MoyaCore.Method.post
        var task = RequestTask.requestCompositeData(
            bodyData: Data("body".utf8), urlParameters: ["q": "a b", "page": 2])
        var headers: [String: String]? = ["Authorization": "Bearer abc"]
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/items/a%2Fb?page=2&q=a%20b"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/items/a%2Fb?page=2&q=a%20b"),
        ("https://staging.test/shop/", "https://staging.test/shop/v1/items/a%2Fb?page=2&q=a%20b"),
        ("http://[::1]:81?x=1", "http://[::1]:81/v1/items/a%2Fb?page=2&q=a%20b"),
        ("https://api.shop.test", "https://api.shop.test/v1/items/a%2Fb?page=2&q=a%20b"),
    ])
    func `replacingOrigin keeps path, query, header fields and body of every target`(
        origin: String, expected: String
    ) async throws {
        let stub = StubTransport(.response(200))
        let provider = MoyaProvider<Item>(transport: stub.replacingOrigin(with: url(origin)))
        _ = try await provider.request(Item())
        let request = try #require(stub.requests.first)
        #expect(request.urlRequest.url?.absoluteString == expected)
        #expect(request.urlRequest.httpMethod == "POST")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
        guard case .data(Data("body".utf8)) = request.body else {
            Issue.record("The body is \(request.body).")
            return
        }
    }

    @Test func `replacingOrigin sends the requests of a provider to a mock server`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        server.on("GET", "/v1/zen") { _ in .text("from the mock server") }
        let provider = MoyaProvider<Item>(
            transport: CurlTransport().replacingOrigin(with: server.url))
        let target = Item(path: "/zen", method: .get, task: .requestPlain, headers: nil)
        #expect(try await provider.request(target).mapString() == "from the mock server")
    }

    private struct Issues: ResponseTarget {
        typealias Response = [Int]
        var baseURL: URL { url("https://api.shop.test/v1") }
        var path: String { "/issues" }
    }

    // RFC 8288, section 3.1: a link is resolved against the URL of the response.
    @Test(arguments: ["?page=2", "/v1/issues?page=2", "https://api.shop.test/v1/issues?page=2"])
    func `replacingOrigin resolves links of a mock server to its next page`(
        link: String
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.on("GET", "/mock/v1/issues") { request in
            let isLast = !request.queryItems.isEmpty
            return MockResponse(
                status: 200,
                headers: isLast ? [] : [HeaderField(name: "Link", value: "<\(link)>; rel=next")],
                body: .data(Data(isLast ? "[2]".utf8 : "[1]".utf8)))
        }
        let origin = server.url.appendingPathComponent("mock")
        let provider = MoyaProvider<Issues>(
            transport: CurlTransport().replacingOrigin(with: origin))
        var read: [[Int]] = []
        for try await page in provider.pages(of: Issues()) { read.append(page) }
        #expect(read == [[1], [2]])
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/shop/v1/a%2Fb?q=1", "https://api.shop.test/v1/a%2Fb?q=1"),
        ("http://127.0.0.1:8080/shop", "https://api.shop.test"),
        ("http://127.0.0.1:8080/shopping/v1", "http://127.0.0.1:8080/shopping/v1"),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8081/shop/v1", "http://127.0.0.1:8081/shop/v1"),
    ])
    func `a response has a URL of the replaced origin unless a redirect left the new origin`(
        answering: String, expected: String
    ) async throws {
        let stub = StubTransport { _ in
            TransportResponse(
                head: ResponseHead(
                    statusCode: 200, url: url(answering), httpVersion: "HTTP/2",
                    fields: [HeaderField(name: "A", value: "b")]))
        }
        let provider = MoyaProvider<Item>(
            transport: stub.replacingOrigin(with: url("http://127.0.0.1:8080/shop/")))
        let head = try #require(try await provider.request(Item()).head)
        #expect(head.url.absoluteString == expected)
        #expect(head.httpVersion == "HTTP/2")
        #expect(head.fields == [HeaderField(name: "A", value: "b")])
    }

    @Test func `a redirect back to the replaced origin is not followed`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.on("GET", "/v1/zen") { _ in
            MockResponse(
                status: 302,
                headers: [HeaderField(name: "Location", value: "https://api.shop.test/v1/other")])
        }
        server.on("GET", "/v1/here") { _ in
            MockResponse(status: 302, headers: [HeaderField(name: "Location", value: "/v1/there")])
        }
        server.on("GET", "/v1/there") { _ in .text("there") }
        let provider = MoyaProvider<Item>(
            transport: CurlTransport().replacingOrigin(with: server.url))
        var target = Item(path: "/zen", method: .get, task: .requestPlain, headers: nil)
        #expect(try await provider.request(target).statusCode == 302)
        target.path = "/here"
        #expect(try await provider.request(target).mapString() == "there")
    }

    @Test(arguments: ["staging", "file:///tmp", "ftp://a.test"])
    func `replacingOrigin with an invalid origin fails the request before it is sent`(
        origin: String
    ) async throws {
        let stub = StubTransport(.response(200))
        let provider = MoyaProvider<Item>(transport: stub.replacingOrigin(with: url(origin)))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(Item()) }
        #expect((error?.underlyingError as? URLError)?.code == .unsupportedURL)
        #expect(stub.requests.isEmpty)
    }
}
