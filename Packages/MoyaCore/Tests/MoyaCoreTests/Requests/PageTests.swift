import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaTesting
import Testing

@Suite struct PageTests {
    private struct Issues: PeopleTarget {
        typealias Response = [Int]
        var page = 1
        var method = Moya.Method.get
        var path: String { "/issues" }
        var headers: [String: String]? = ["Authorization": "Bearer t"]
        var task: RequestTask {
            .requestParameters(parameters: ["page": page], encoding: URLEncoding.queryString)
        }
    }

    /// Responds to `?page=n` with `[n]` and a link to the result of `next(n)`.
    private func transport(_ next: @escaping @Sendable (Int) -> String?) -> StubTransport {
        StubTransport { request in
            let query = request.urlRequest.url?.query ?? ""
            let page = query.split(separator: "=").last.flatMap { Int($0) } ?? 0
            let fields = next(page).map {
                [HeaderField(name: "Link", value: "<\($0)>; rel=\"next\"")]
            }
            return try .stub(headers: fields ?? [], data: Data("[\(page)]".utf8), for: request)
        }
    }

    private func read<Element>(_ pages: PageSequence<Element>) async throws -> [Element] {
        var read: [Element] = []
        for try await page in pages { read.append(page) }
        return read
    }

    private func pageError<Element>(_ pages: PageSequence<Element>) async -> PageError? {
        let error = await #expect(throws: MoyaError.self) { _ = try await read(pages) }
        return error?.underlyingError as? PageError
    }

    @Test func `pages follow links with the header fields and the target of the first page`()
        async throws
    {
        let transport = transport { $0 < 3 ? "?page=\($0 + 1)" : nil }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        #expect(try await read(provider.pages(of: Issues())) == [[1], [2], [3]])
        #expect(
            transport.requests.map { $0.urlRequest.url?.absoluteString } == [
                "http://people.test/issues?page=1", "http://people.test/issues?page=2",
                "http://people.test/issues?page=3",
            ])
        for request in transport.requests {
            #expect(request.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer t")
            #expect(request.context.target is Issues)
        }
    }

    /// Returns a provider whose endpoints have the current values of `address` and `token`.
    private func provider(
        _ transport: StubTransport, address: Locked<String>, token: Locked<String>
    ) -> MoyaProvider<MultiTarget> {
        MoyaProvider(
            endpointClosure: { target in
                let endpoint = MoyaProvider<MultiTarget>.defaultEndpointMapping(for: target)
                let token = token.withLock { $0 }
                return Endpoint(
                    url: address.withLock { $0 } + "/issues",
                    sampleResponseClosure: endpoint.sampleResponseClosure, method: endpoint.method,
                    task: endpoint.task, httpHeaderFields: ["Authorization": "Bearer \(token)"])
            }, transport: transport)
    }

    @Test func `each page is requested with the token that its own endpoint has`() async throws {
        let token = Locked("t0")
        let transport = transport { page in
            token.withLock { $0 = "t\(page)" }
            return page < 3 ? "?page=\(page + 1)" : nil
        }
        let provider = provider(
            transport, address: Locked("http://people.test"), token: token)
        #expect(try await read(provider.pages(of: Issues())) == [[1], [2], [3]])
        #expect(
            transport.requests.map { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
                == ["Bearer t0", "Bearer t1", "Bearer t2"])
        #expect(
            transport.requests.map { $0.urlRequest.url?.query } == ["page=1", "page=2", "page=3"])
    }

    // The new token is for the new origin, but the link leads to the old one.
    @Test func `pages end when the endpoint of the target has moved to another origin`() async {
        let address = Locked("http://people.test")
        let transport = transport { page in
            address.withLock { $0 = "http://other.test" }
            return "?page=\(page + 1)"
        }
        let provider = provider(transport, address: address, token: Locked("t"))
        let next = url("http://people.test/issues?page=2")
        #expect(await pageError(provider.pages(of: Issues())) == .otherOrigin(next))
        #expect(transport.requests.count == 1)
    }

    @Test func `pages follow links of the origin that the first page was requested from`()
        async throws
    {
        let address = Locked("http://people.test")
        let transport = transport { $0 < 2 ? "?page=\($0 + 1)" : nil }
        let pages = provider(transport, address: address, token: Locked("t")).pages(of: Issues())
        address.withLock { $0 = "http://other.test" }
        #expect(try await read(pages) == [[1], [2]])
        #expect(transport.requests.map { $0.urlRequest.url?.host } == ["other.test", "other.test"])
    }

    @Test func `pages follow links for a provider of one target type`() async throws {
        let transport = transport { $0 < 2 ? "http://PEOPLE.test:80/issues?page=\($0 + 1)" : nil }
        let typed = MoyaProvider<Issues>(transport: transport)
        #expect(try await read(typed.pages(of: Issues())) == [[1], [2]])
        let untyped = MoyaProvider<Issues>(transport: transport)
        #expect(try await read(untyped.pages(of: Issues(), as: [Int].self)) == [[1], [2]])
    }

    @Test func `pages request the target that the next closure returns`() async throws {
        let transport = transport { _ in nil }
        let following: @Sendable (Issues, [Int]) -> Issues? = { target, page in
            page == [3] ? nil : Issues(page: target.page + 1)
        }
        let multi = MoyaProvider<MultiTarget>(transport: transport)
        #expect(try await read(multi.pages(of: Issues(), next: following)) == [[1], [2], [3]])
        let typed = MoyaProvider<Issues>(transport: transport)
        #expect(try await read(typed.pages(of: Issues(), next: following)) == [[1], [2], [3]])
        #expect(
            try await read(typed.pages(of: Issues(), as: [Int].self, next: following))
                == [[1], [2], [3]])
    }

    @Test func `a page is requested only when its sequence is advanced`() async throws {
        let transport = transport { "?page=\($0 + 1)" }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let pages = provider.pages(of: Issues())
        #expect(transport.requests.isEmpty)
        for try await page in pages where page == [2] { break }
        #expect(transport.requests.count == 2)
        for try await _ in pages { break }
        #expect(transport.requests.count == 3)
    }

    @Test(arguments: [
        "http://other.test/issues?page=2", "https://people.test/issues?page=2",
        "http://people.test:81/issues?page=2", "//other.test/issues?page=2",
        "http://user@people.test/issues?page=2", "ftp://people.test/issues",
    ])
    func `pages do not follow a link to another origin or with user info`(link: String) async throws
    {
        let transport = transport { _ in link }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let base = url("http://people.test/issues?page=1")
        let next = try #require(URL(string: link, relativeTo: base)?.absoluteURL)
        #expect(await pageError(provider.pages(of: Issues())) == .otherOrigin(next))
        #expect(transport.requests.count == 1)
    }

    @Test func `pages do not follow a relative link of a response from another origin`() async {
        let transport = StubTransport { _ in
            let head = ResponseHead(
                statusCode: 200, url: url("http://other.test/issues"),
                fields: [HeaderField(name: "Link", value: "<?page=2>; rel=next")])
            return TransportResponse(head: head, body: .data(Data("[1]".utf8)))
        }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let next = url("http://other.test/issues?page=2")
        #expect(await pageError(provider.pages(of: Issues())) == .otherOrigin(next))
        #expect(transport.requests.count == 1)
    }

    @Test func `pages fail for a link to a page that has already been requested`() async {
        let transport = transport { "?page=\($0 % 3 + 1)" }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let first = PageError.repeated(url("http://people.test/issues?page=1"))
        #expect(await pageError(provider.pages(of: Issues())) == first)
        #expect(transport.requests.count == 3)
        let same = provider.pages(of: Issues()) { target, _ in target }
        #expect(await pageError(same) == first)
    }

    // RFC 3986, section 3.5: a fragment is not sent, so all of these links lead to one page.
    @Test func `pages compare and request links without their fragments`() async {
        let same = transport { "#\($0)" }
        let first = PageError.repeated(url("http://people.test/issues?page=1"))
        let one = MoyaProvider<MultiTarget>(transport: same)
        #expect(await pageError(one.pages(of: Issues())) == first)
        #expect(same.requests.count == 1)

        let next = transport { "?page=\($0 % 2 + 1)#\($0)" }
        let two = MoyaProvider<MultiTarget>(transport: next)
        #expect(await pageError(two.pages(of: Issues())) == first)
        #expect(next.requests.map { $0.urlRequest.url?.fragment } == [nil, nil])
    }

    @Test func `pages of an endless list fail at the limit`() async {
        let transport = transport { "?page=\($0 + 1)" }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        #expect(await pageError(provider.pages(of: Issues(), limit: 5)) == .limit(5))
        #expect(transport.requests.count == 5)
    }

    @Test func `a list with exactly as many pages as the limit is read completely`() async throws {
        let transport = transport { $0 < 5 ? "?page=\($0 + 1)" : nil }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        #expect(try await read(provider.pages(of: Issues(), limit: 5)).count == 5)
    }

    @Test func `pages do not follow the link of a response to POST`() async {
        let transport = transport { _ in "?page=2" }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        #expect(await pageError(provider.pages(of: Issues(method: .post))) == .notSafe(.post))
        #expect(transport.requests.count == 1)
    }

    @Test
    func `a page with an unusable link is returned before the error that ends the sequence`()
        async throws
    {
        let transport = transport { _ in "http://other.test" }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        var iterator = provider.pages(of: Issues()).makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        await #expect(throws: MoyaError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func `the description of a page error masks the secrets of its URL`() {
        let other = url("http://other.test/issues?access_token=abc123")
        for error in [PageError.otherOrigin(other), .repeated(other)] {
            #expect(error.description.contains("http://other.test/issues"))
            #expect(!error.description.contains("abc123"))
            #expect(error.localizedDescription == error.description)
        }
    }

    private struct NoNextPage: Error {}

    @Test func `an error of the next closure is wrapped in a MoyaError with the response`() async {
        let transport = transport { _ in nil }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let pages = provider.pages(of: Issues()) { _, _ in throw NoNextPage() }
        let error = await #expect(throws: MoyaError.self) { _ = try await read(pages) }
        #expect(error?.underlyingError is NoNextPage)
        #expect(error?.response?.data == Data("[1]".utf8))
    }

    private final class RefusingProvider: MoyaProvider<Issues>, @unchecked Sendable {
        override func request(_ target: Issues) async throws -> Response { throw NoNextPage() }
    }

    @Test func `an error of an override of request is wrapped in a MoyaError`() async {
        let provider = RefusingProvider(transport: transport { _ in nil })
        let error = await #expect(throws: MoyaError.self) {
            _ = try await read(provider.pages(of: Issues()))
        }
        #expect(error?.underlyingError is NoNextPage)
    }

    private final class CountingProvider: MoyaProvider<Issues>, @unchecked Sendable {
        // Safe: adds a constant of a Sendable type.
        let calls = Recorder<Issues>()
        override func request(_ target: Issues) async throws -> Response {
            calls.record(target)
            return try await super.request(target)
        }
    }

    @Test func `of linked pages only the first reaches an override of request`() async throws {
        let transport = transport { $0 < 3 ? "?page=\($0 + 1)" : nil }
        let provider = CountingProvider(transport: transport)
        #expect(try await read(provider.pages(of: Issues())).count == 3)
        #expect(transport.requests.count == 3)
        #expect(provider.calls.count == 1)
    }

    @Test func `pages are decoded with the coders of the provider, as a single request is`()
        async throws
    {
        struct Item: Decodable, Sendable { let firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // An override returns a response without a provider's coders.
        final class Substituting: MoyaProvider<Issues>, @unchecked Sendable {
            override func request(_ target: Issues) async throws -> Response {
                Response(statusCode: 200, data: Data(#"{"first_name": "Ada"}"#.utf8))
            }
        }
        let provider = Substituting(
            transport: transport { _ in nil }, coders: Coders(decoder: decoder))
        let pages = provider.pages(of: Issues(), as: Item.self)
        #expect(try await read(pages).map(\.firstName) == ["Ada"])
        let single = try await provider.request(Issues(), as: Item.self)
        #expect(single.firstName == "Ada")
    }

    // RFC 9110, sections 13.1 and 14.2: these fields apply to a single resource.
    @Test func `conditions and ranges of the first page are not sent for the next page`()
        async throws
    {
        let transport = transport { $0 < 2 ? "?page=2" : nil }
        let provider = MoyaProvider<MultiTarget>(transport: transport)
        let fields = [
            "If-None-Match": "\"a\"", "if-match": "\"a\"", "RANGE": "bytes=0-9",
            "If-Range": "\"a\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
            "If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT", "Accept": "text/plain",
        ]
        _ = try await read(provider.pages(of: Issues(headers: fields)))
        let sent = transport.requests.map { Set(($0.urlRequest.allHTTPHeaderFields ?? [:]).keys) }
        #expect(sent.first?.isSuperset(of: ["If-None-Match", "Accept"]) == true)
        #expect(sent.last?.map { $0.lowercased() } == ["accept"])
    }
}
