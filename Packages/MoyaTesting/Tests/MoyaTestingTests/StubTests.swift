import Foundation
import MoyaCore
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum Shop: TargetType, Equatable, CaseIterable {
    case list, buy

    var baseURL: URL { URL(string: "https://shop.test") ?? URL(fileURLWithPath: "/") }
    var path: String { self == .list ? "/list" : "/buy" }
    var method: MoyaCore.Method { self == .list ? .get : .post }
    var task: RequestTask {
        self == .list
            ? .requestPlain
            : .requestParameters(parameters: ["id": 7], encoding: JSONEncoding.default)
    }
    var validationType: ValidationType { .successCodes }
    var headers: [String: String]? { ["X-Shop": "1"] }
    var sampleData: Data { Data("[\(self == .list ? 1 : 2)]".utf8) }
}

@Suite struct StubbedProviderTests {
    private let provider = StubbedProvider<Shop>()

    @Test func `answers with the sample data unless told otherwise`() async throws {
        #expect(try await provider.request(.list).data == Data("[1]".utf8))
        #expect(try await provider.request(.buy, as: [Int].self) == [2])
    }

    @Test func `answers each target with its stub`() async throws {
        provider.stub(.list, with: try .json(["a"], status: 201))
        let response = try await provider.request(.list)
        #expect(response.statusCode == 201)
        #expect(try response.map([String].self) == ["a"])
        #expect(response.header("content-type") == "application/json")
        #expect(try await provider.request(.buy).data == Data("[2]".utf8))
    }

    @Test func `answers one after the other, and the last one stays`() async throws {
        provider.stub(.list, with: .failure(.timedOut), .response(204), .sampleData())
        await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect(try await provider.request(.list).statusCode == 204)
        #expect(try await provider.request(.list).data == Data("[1]".utf8))
        #expect(try await provider.request(.list).data == Data("[1]".utf8))
        #expect(provider.requestCount(of: .list) == 4)
    }

    @Test func `asks stubs added later first`() async throws {
        provider.stub(where: { _ in true }, with: .response(200, data: Data("any".utf8)))
        provider.stub(.buy, with: .response(200, data: Data("buy".utf8)))
        #expect(try await provider.request(.list).mapString() == "any")
        #expect(try await provider.request(.buy).mapString() == "buy")
    }

    @Test func `records what would have been sent`() async throws {
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

    @Test func `validates as the target says`() async {
        provider.stub(.list, with: .response(500, data: Data("why".utf8)))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect(error?.response?.data == Data("why".utf8))
    }

    @Test func `a target nobody stubbed may be an error that names it`() async {
        let strict = StubbedProvider<Shop>(unstubbed: .fail)
        let error = await #expect(throws: MoyaError.self) { try await strict.request(.buy) }
        #expect(
            (error?.underlyingError as? MissingStubError)?.description
                == "No stub stands for buy. Add one: provider.stub(.buy, with: …).")
    }

    @Test func `a delayed stub can be cancelled`() async {
        provider.stub(.list, with: .sampleData().delayed(by: 1000))
        let provider = provider
        let task = Task { try await provider.request(.list) }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }

    @Test func `completions work as well`() async throws {
        let response = try await withCheckedThrowingContinuation { continuation in
            provider.request(.list, callbackQueue: .global()) { continuation.resume(with: $0) }
        }
        #expect(response.data == Data("[1]".utf8))
    }
}

@Suite struct StubTransportTests {
    @Test func `answers and remembers`() async throws {
        let transport = StubTransport { request in try .stub(status: 202, json: [1], for: request) }
        let response = try await MoyaProvider<Shop>(transport: transport).request(.list)
        #expect(response.statusCode == 202)
        #expect(try response.map([Int].self) == [1])
        #expect(transport.requests.count == 1)
    }
}

@Suite struct TargetProblemTests {
    private let provider = MoyaProvider<Shop>(transport: StubTransport { try .stub(for: $0) })

    @Test func `finds nothing where all is well`() {
        #expect(
            provider.problems(in: Shop.allCases) { _, response in _ = try response.map([Int].self) }
                == [])
    }

    @Test func `names sample data that does not do`() {
        let problems = provider.problems(in: Shop.allCases) { target, response in
            if target == .buy { _ = try response.map([String].self) }
        }
        #expect(problems.map(\.target) == ["buy"])
        #expect(problems.first?.reason.hasPrefix("Its sample data does not do: ") == true)
    }

    @Test(arguments: [
        ("no URL", "Failed to map Endpoint"), ("/relative", "neither http nor https"),
        ("ftp://a.test/", "neither http nor https"), ("http:///path", "no host"),
    ])
    func `names a URL that cannot work`(url: String, reason: String) {
        let provider = MoyaProvider<Shop>(
            endpointClosure: { _ in
                Endpoint(
                    url: url, sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: .get,
                    task: .requestPlain, httpHeaderFields: nil)
            }, transport: StubTransport { try .stub(for: $0) })
        let problems = provider.problems(in: [Shop.list])
        #expect(
            problems.contains { $0.description.hasPrefix("list: ") && $0.reason.contains(reason) })
    }
}

@Suite struct ConformanceSelfTests {
    /// A transport that gets one thing wrong.
    struct Wrong: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try .stub(status: 200, data: Data("always the same".utf8), for: request)
        }
    }

    @Test func `a transport that answers by itself does not pass`() async {
        var passed = 0
        for behaviour in TransportConformance.cases where behaviour.name.contains("arrives as sent")
        {
            if (try? await behaviour.run(on: Wrong())) != nil { passed += 1 }
        }
        #expect(passed == 0)
    }

    @Test func `says what was expected and what came`() async {
        let behaviour = TransportConformance.cases.first {
            $0.name == "the status 404 is a response"
        }
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await behaviour?.run(on: Wrong())
        }
        #expect(error?.description == "Expected the status to be 404, got 200.")
    }

    @Test func `names every behaviour once`() {
        let names = TransportConformance.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 60)
    }
}
