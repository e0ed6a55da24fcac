import Foundation
import MoyaCore
import MoyaMacros
import MoyaMockServer
import MoyaMultipart
import MoyaTesting
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

@Suite struct UsageTests {
    private static var transports: [any Transport] { [CurlTransport(), FoundationTransport()] }

    /// Returns a provider that sends the requests of `ShopAPI` to `server`.
    private func provider(
        _ transport: any Transport, _ server: MockServer
    ) -> MoyaProvider<ShopAPI> {
        MoyaProvider(
            endpointClosure: { target in
                let endpoint = MoyaProvider<ShopAPI>.defaultEndpointMapping(for: target)
                return Endpoint(
                    url: endpoint.url.replacingOccurrences(
                        of: "https://shop.test", with: server.url.absoluteString),
                    sampleResponseClosure: endpoint.sampleResponseClosure,
                    method: endpoint.method, task: endpoint.task,
                    httpHeaderFields: endpoint.httpHeaderFields)
            },
            transport: transport)
    }

    @Test(arguments: transports)
    func `typed requests send what their declaration says`(transport: any Transport)
        async throws
    {
        let item = Item(id: 3, name: "c")
        let server = try MockServer { request in
            switch request.path {
            case "/v1/motto": MockResponse(body: .data(Data("Buy now".utf8)))
            case "/v1/items": .json([item])
            case let path where path.hasPrefix("/v1/pictures") || path == "/v1/sizes":
                MockResponse(body: .data(request.body))
            default: .json(item)
            }
        }
        defer { server.stop() }
        let api = provider(transport, server).api
        let trace = try #require(UUID(uuidString: "8C5B0C6E-7E0A-4E9E-9B5A-0D1C2B3A4F5E"))

        #expect(try await api.motto() == "Buy now")
        #expect(try await api.item(id: 3) == item)
        #expect(try await api.items(q: "a b", tags: ["x", "y"]) == [item])
        let date = Date(timeIntervalSince1970: 1000)
        #expect(try await api.items(q: nil, after: date) == [item])
        #expect(try await api.add(shelf: "a/b ?", item: item, trace: trace) == item)
        _ = try await api.add(shelf: "s", item: item)
        try await api.replace(id: 3, item: item)
        #expect(try await api.remove(id: 3).statusCode == 200)
        let form = try await api.picture(id: 1, file: Data("bytes".utf8), page: 7)
        try await api.exists(id: 3)
        try await api.purge()
        _ = try await api.upload(Data("raw".utf8), type: "x")
        try await api.default(in: "a", for: 1, `inout`: 2, true: true)
        try await api.send(text: "b")
        try await api.sized(size: .big, other: .big, label: .one, label2: .one, q: .big)
        try await api.sized(size: .big, label2: .one, q: .big)
        let sizes = try await api.sizeForm(size: .big)
        try await api.patch()

        #expect(
            server.requests.map { "\($0.method) \($0.target)" } == [
                "GET /v1/motto", "GET /v1/items/3",
                "GET /v1/items?sort=name&q=a%20b&tags=x&tags=y",
                "GET /v1/items?since=1000&sort=name",
                "POST /v1/shelves/a%2Fb%20%3F/items", "POST /v1/shelves/s/items",
                "PUT /v1/items/3", "DELETE /v1/items/3", "POST /v1/pictures/1",
                "HEAD /v1/items/3", "PURGE /v1/cache", "POST /v1/raw",
                "GET /v1/where/a?for=1&inout=2&true=1", "GET /v1/send?text=b",
                "GET /v1/sizes/BIG?q=BIG", "GET /v1/sizes/BIG?q=BIG", "POST /v1/sizes",
                "PATCH /v1/items",
            ])
        // The indices are those of the list above.
        let sent = server.requests
        #expect(sent[0].value(for: "X-Client") == "tests")
        #expect(sent[4].value(for: "X-Trace") == trace.uuidString)
        #expect(sent[4].value(for: "Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(Item.self, from: sent[4].body) == item)
        #expect(sent[5].value(for: "X-Trace") == nil)
        #expect(sent[6].value(for: "Accept") == "*/*")
        #expect(sent[11].body == Data("raw".utf8))
        #expect(sent[14].value(for: "X-Size") == "BIG")
        #expect(sent[14].value(for: "X-Sizes") == "1 1")
        #expect(sent[15].value(for: "X-Size") == nil)
        #expect(sent[15].value(for: "X-Sizes") == nil)
        #expect(String(decoding: sizes, as: UTF8.self).contains("\r\n\r\nBIG\r\n"))
        #expect(sent[17].body.isEmpty)
        let text = String(decoding: form, as: UTF8.self)
        #expect(text.contains("name=\"file\"") && text.contains("bytes"))
        #expect(text.contains("name=\"page\"") && !text.contains("name=\"title\""))
    }

    @Test func `a request by case and its typed function return the same stub`() async throws {
        let provider = StubbedProvider<ShopAPI>()
        #expect(try await provider.request(.motto).mapString() == "Buy \"now\"")
        #expect(
            try await provider.request(.item(id: 5), as: Item.self) == Item(id: 1, name: "a"))
        #expect(try await provider.api.item(id: 5) == Item(id: 1, name: "a"))
    }

    @Test func `the sample of a case is encoded by the provider's coders`() async throws {
        let coders = Coders(decoder: PropertyListDecoder(), encoder: PropertyListEncoder())
        let provider = StubbedProvider<ShopAPI>(coders: coders)
        #expect(try await provider.api.item(id: 5) == Item(id: 1, name: "a"))
        let catalog = TargetCatalog<ShopAPI> { ShopAPI.item(id: 5) }
        #expect(catalog.omitting(.coverage).check(with: provider).problems == [])
    }

    @Test func `a provider of MultiTarget has the typed functions of an API`() async throws {
        let provider = MoyaProvider<MultiTarget>(
            stubClosure: MoyaProvider.immediatelyStub, transport: FoundationTransport())
        #expect(try await provider.api(ShopAPI.self).item(id: 5) == Item(id: 1, name: "a"))
    }

    @Test func `only statuses that validation does not list are errors`() async throws {
        let provider = StubbedProvider<ShopAPI>()
        provider.stub(.remove(id: 1), with: .response(404))
        #expect(try await provider.api.remove(id: 1).statusCode == 404)
        provider.stub(.remove(id: 2), with: .response(500))
        await #expect(throws: MoyaError.self) { try await provider.api.remove(id: 2) }
    }

    @Test func `a default value may be a member of the enum`() async throws {
        let provider = StubbedProvider<Places.API>()
        try await provider.api.place()
        #expect(Places.API.place().baseURL.absoluteString == "https://places.test/%22a%22")
        #expect(try provider.endpoint(.place()).urlRequest().url?.query == "id=7")
    }

    @Test func `members that an enum declares itself are kept`() {
        #expect(Open.any().validationType == .none)
        #expect(ShopAPI.motto.validationType == .successCodes)
        #expect(ShopAPI.remove(id: 1).validationType == .customCodes([200, 204, 404]))
    }

    @Test func `a catalog lists deprecated cases`() {
        let report = TargetCatalog(Aged.self).omitting(.duplicates).check()
        #expect(report.rows.count == 2)
        #expect(report.problems == [])
    }

    @Test func `a catalog lists every case and reports those without an example`() {
        let report = TargetCatalog(ShopAPI.self).omitting(.duplicates).check()
        #expect(
            report.rows.map(\.expectation) == [
                "String", "Item", "Array<Item>", "Response", "()", "()", "()",
            ])
        #expect(
            report.general.map(\.target) == [
                "ShopAPI.add", "ShopAPI.replace", "ShopAPI.picture", "ShopAPI.default",
                "ShopAPI.send", "ShopAPI.upload", "ShopAPI.sized", "ShopAPI.sizeForm",
            ])
        #expect(report.problems.filter { $0.check != .coverage } == [])
    }

    @Test func `a parameter of several segments keeps its slashes`() async throws {
        let transport = StubTransport { try .stub(data: Data("text".utf8), for: $0) }
        let provider = MoyaProvider<Lists>(transport: transport)
        #expect(try await provider.api.contents(path: "docs/a b?.md") == "text")
        #expect(
            transport.requests.map { $0.urlRequest.url?.absoluteString } == [
                "https://lists.test/contents/docs/a%20b%3F.md"
            ])
    }

    @Test func `the pages of a case have its response type and follow links`() async throws {
        let transport = StubTransport { request in
            let isFirst = request.urlRequest.url?.query == "per_page=1"
            let link = HeaderField(name: "Link", value: "<?per_page=1&page=2>; rel=\"next\"")
            let items = [Item(id: isFirst ? 1 : 2, name: "a")]
            return try .stub(
                headers: isFirst ? [link] : [], data: JSONEncoder().encode(items), for: request)
        }
        let single = MoyaProvider<Lists>(transport: transport).api
        let multi = MoyaProvider<MultiTarget>(transport: transport).api(Lists.self)
        for api in [single, multi] {
            var ids: [Int] = []
            for try await items in api.pages(of: .items(perPage: 1)) { ids += items.map(\.id) }
            #expect(ids == [1, 2])
            let limited = api.pages(of: .items(perPage: 1), limit: 1)
            await #expect(throws: MoyaError.self) { for try await _ in limited {} }
        }
        #expect(
            transport.requests.map { $0.urlRequest.url?.query } == [
                "per_page=1", "per_page=1&page=2", "per_page=1", "per_page=1", "per_page=1&page=2",
                "per_page=1",
            ])
    }

    @Test func `the error body of an API is decoded as the type of the argument failure`()
        async throws
    {
        let provider = MoyaProvider<Lists>(
            transport: StubTransport(try .json(["message": "no"], status: 422)))
        let error = await #expect(throws: MoyaError.self) { try await provider.api.items() }
        #expect(error?.failure(of: Lists.self)?.message == "no")
        #expect(MoyaError.underlying(URLError(.timedOut), nil).failure(of: Lists.self) == nil)
    }
}
