import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct StubbedProviderTests {
    private let provider = StubbedProvider<Shop>()

    @Test func `a stubbed provider answers with sample data by default`() async throws {
        #expect(try await provider.request(.list).data == Data("[1]".utf8))
        #expect(try await provider.request(.buy, as: [Int].self) == [2])
    }

    @Test func `a stubbed target is answered with its stub`() async throws {
        provider.stub(.list, with: try .json(["a"], status: 201))
        let response = try await provider.request(.list)
        #expect(response.statusCode == 201)
        #expect(try response.map([String].self) == ["a"])
        #expect(response.header("content-type") == "application/json")
        #expect(try await provider.request(.buy).data == Data("[2]".utf8))
    }

    @Test func `the answers of a stub are used in order, and the last one repeats`() async throws {
        provider.stub(.list, with: .failure(.timedOut), .response(204), .sampleData())
        await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect(try await provider.request(.list).statusCode == 204)
        #expect(try await provider.request(.list).data == Data("[1]".utf8))
        #expect(try await provider.request(.list).data == Data("[1]".utf8))
        #expect(provider.requestCount(of: .list) == 4)
    }

    @Test func `the stub added last takes precedence`() async throws {
        provider.stub(where: { _ in true }, with: .response(200, data: Data("any".utf8)))
        provider.stub(.buy, with: .response(200, data: Data("buy".utf8)))
        #expect(try await provider.request(.list).mapString() == "any")
        #expect(try await provider.request(.buy).mapString() == "buy")
    }

    @Test func `a stubbed provider records the requests that would have been sent`() async throws {
        _ = try await provider.request(.buy)
        let recorded = try #require(provider.requests.first)
        #expect(recorded.target == .buy)
        #expect(recorded.body == Data(#"{"id":7}"#.utf8))
        #expect(recorded.request.urlRequest.url?.absoluteString == "https://shop.test/buy")
        #expect(recorded.request.urlRequest.httpMethod == "POST")
        #expect(recorded.request.urlRequest.value(forHTTPHeaderField: "X-Shop") == "1")
        provider.reset()
        #expect(provider.requests.isEmpty)
    }

    @Test func `a stubbed response is validated as its target says`() async {
        provider.stub(.list, with: .response(500, data: Data("why".utf8)))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect(error?.response?.data == Data("why".utf8))
    }

    @Test func `a target without a stub can be an error that names it`() async {
        let strict = StubbedProvider<Shop>(unstubbed: .fail)
        let error = await #expect(throws: MoyaError.self) { try await strict.request(.buy) }
        #expect(
            (error?.underlyingError as? MissingStubError)?.description.hasPrefix(
                "No stub matches buy: POST https://shop.test/buy.\nNothing is stubbed.\n")
                == true)
    }

    @Test func `a delayed stub of a provider can be cancelled`() async {
        provider.stub(.list, with: .sampleData().delayed(by: 1000))
        let provider = provider
        let task = Task { try await provider.request(.list) }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }

    @Test func `a stubbed provider calls completions`() async throws {
        let result = try await withCallback { callback in
            provider.request(.list, callbackQueue: .global()) { callback.resume(returning: $0) }
        }
        #expect(try result.get().data == Data("[1]".utf8))
    }

    @Test func `a stub can select targets by their values`() async throws {
        let provider = StubbedProvider<Library>()
        provider.stub(
            where: { if case .book(let id) = $0 { id > 100 } else { false } }, with: .response(404))
        #expect(try await provider.request(.book(7)).statusCode == 200)
        #expect(try await provider.request(.book(101)).statusCode == 404)
        #expect(try await provider.request(.shelf("a")).statusCode == 200)
        #expect(
            provider.requests.map { "\($0.target)" } == ["book(7)", "book(101)", #"shelf("a")"#])
    }

    @Test func `the closure that selects a stub may read the provider's requests`() async throws {
        let provider = provider
        provider.stub(
            where: { [weak provider] _ in provider?.requests.count == 2 }, with: .response(429))
        #expect(try await provider.request(.list).statusCode == 200)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect(error?.response?.statusCode == 429)
    }

    @Test func `each target has its own sequence of answers`() async throws {
        provider.stub(.list, with: .response(201), .response(202))
        provider.stub(.buy, with: .response(203), .response(204))
        var codes: [Int] = []
        for target in [Shop.list, .buy, .list, .buy] {
            codes.append(try await provider.request(target).statusCode)
        }
        #expect(codes == [201, 203, 202, 204])
    }

    @Test func `a failure stub fails like the network`() async {
        provider.stub(.list, with: .failure(.notConnectedToInternet))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect((error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
        #expect(error?.response == nil)
    }

    @Test func `a target without a stub is answered with its endpoint's sample response`()
        async throws
    {
        let strange = StubbedProvider<Shop>(endpointClosure: { target in
            let usual = MoyaProvider.defaultEndpointMapping(for: target)
            return Endpoint(
                url: usual.url,
                sampleResponseClosure: {
                    target == .list
                        ? .networkResponse(207, Data("multi".utf8))
                        : .networkError(NSError(domain: NSURLErrorDomain, code: -1009))
                }, method: usual.method, task: usual.task, httpHeaderFields: nil)
        })
        let response = try await strange.request(.list)
        #expect(response.statusCode == 207)
        #expect(try response.mapString() == "multi")
        let error = await #expect(throws: MoyaError.self) { try await strange.request(.buy) }
        #expect((error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
    }

    @Test func `a stub can be a sample response of Moya`() async throws {
        let url = try #require(URL(string: "https://shop.test/elsewhere"))
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 206, httpVersion: nil, headerFields: ["X-Part": "2"]))
        provider.stub(
            .list, with: .sampleResponse(.response(head, Data("part".utf8))),
            .sampleResponse(.networkError(NSError(domain: "shop", code: 7))))
        let response = try await provider.request(.list)
        #expect(response.statusCode == 206)
        #expect(response.header("x-part") == "2")
        #expect(response.response?.url == url)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect((error?.underlyingError as NSError?)?.domain == "shop")
    }

    @Test func `a stubbed request runs through the plugins`() async throws {
        let plugin = Stamp()
        let provider = StubbedProvider<Shop>(plugins: [plugin])
        let response = try await provider.request(.list)
        #expect(try response.mapString() == "stamped")
        let sent = try #require(provider.requests.first?.request.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Stamp") == "1")
    }

    @Test func `200 concurrent requests use each answer of a stub once before the last repeats`()
        async throws
    {
        provider.stub(.list, with: .response(201), .response(202))
        let provider = provider
        let codes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await provider.request(.list).statusCode }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == 201 }.count == 1)
        #expect(codes.filter { $0 == 202 }.count == 199)
        #expect(provider.requestCount(of: .list) == 200)
    }

    @Test func `equal requests in flight are sent once`() async throws {
        let provider = StubbedProvider<Shop>(callbackQueue: .global(), trackInflights: true)
        let bothAreMade = DispatchSemaphore(value: 0)
        // Delays the answer until the second request was made.
        provider.stub(
            where: { _ in
                _ = bothAreMade.wait(timeout: .now() + 60)
                return true
            }, with: .sampleData())
        let answers = DispatchGroup()
        for _ in 0..<2 {
            answers.enter()
            provider.request(.list, completion: { _ in answers.leave() })
        }
        bothAreMade.signal()
        try await withCallback { callback in
            answers.notify(queue: .global()) { callback.resume() }
        }
        #expect(provider.requestCount(of: .list) == 1)
    }

    @Test func `a provider of MultiTarget stubs targets of several types`() async throws {
        let provider = StubbedProvider<MultiTarget>()
        provider.stub(where: { $0.target is Library }, with: .response(410))
        #expect(try await provider.request(MultiTarget(Shop.list)).mapString() == "[1]")
        #expect(try await provider.request(MultiTarget(Library.book(1))).statusCode == 410)
    }

    @Test func `resetting a provider removes its stubs`() async throws {
        provider.stub(.list, with: .response(204))
        provider.reset()
        #expect(try await provider.request(.list).statusCode == 200)
    }

    @Test(arguments: [-1, .nan, 0])
    func `a delay of zero, negative or NaN seconds is ignored`(seconds: TimeInterval) async throws {
        provider.stub(.list, with: .sampleData().delayed(by: seconds))
        #expect(try await provider.request(.list).statusCode == 200)
    }
}

private enum Library: TargetType {
    case book(Int), shelf(String)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/" }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}

private struct Stamp: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-Stamp")
        return request
    }

    func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError> {
        result.map { Response(statusCode: $0.statusCode, data: Data("stamped".utf8)) }
    }
}
