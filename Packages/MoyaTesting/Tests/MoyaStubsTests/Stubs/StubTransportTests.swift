import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct StubTransportTests {
    @Test func `a stub transport answers from its handler and records requests`() async throws {
        let transport = StubTransport { request in try .stub(status: 202, json: [1], for: request) }
        let response = try await MoyaProvider<Shop>(transport: transport).request(.list)
        #expect(response.statusCode == 202)
        #expect(try response.map([Int].self) == [1])
        #expect(transport.requests.count == 1)
    }

    @Test func `a stub transport answers with its stubs in order, the last one repeated`()
        async throws
    {
        let transport = StubTransport(
            .failure(.timedOut), .response(503, headers: ["Retry-After": "1"]), .sampleData())
        let provider = MoyaProvider<Shop>(transport: transport)
        let first = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect((first?.underlyingError as? URLError)?.code == .timedOut)
        let second = await #expect(throws: MoyaError.self) { try await provider.request(.list) }
        #expect(second?.response?.statusCode == 503)
        #expect(second?.response?.header("retry-after") == "1")
        for _ in 0..<2 { #expect(try await provider.request(.buy).mapString() == "[2]") }
        #expect(transport.requests.count == 4)
    }

    @Test func `a JSON stub takes a literal with values of several types`() async throws {
        let stub = try Stub.json(["id": 5, "title": "x", "tags": ["a", 1, .null]], status: 201)
        let url = try #require(URL(string: "https://a.test/x"))
        let response = try await StubTransport(stub).send(TransportRequest(URLRequest(url: url)))
        #expect(response.head.statusCode == 201)
        guard case .data(let data) = response.body else {
            Issue.record("The body is no data.")
            return
        }
        let value = try JSONDecoder().decode(JSONValue.self, from: data)
        #expect(value == ["id": 5, "title": "x", "tags": ["a", 1, .null]])
    }

    @Test func `a stub transport answers without a provider`() async throws {
        let url = try #require(URL(string: "https://a.test/x"))
        let transport = StubTransport(try .json(["a": 1], status: 201))
        let response = try await transport.send(TransportRequest(URLRequest(url: url)))
        #expect(response.head.statusCode == 201)
        #expect(response.head.url == url)
        #expect(response.head.value(for: "content-type") == "application/json")
        guard case .data(let data) = response.body else {
            Issue.record("The body is a file.")
            return
        }
        #expect(data == Data(#"{"a":1}"#.utf8))
    }

    @Test func `a delayed stub of a transport can be cancelled`() async throws {
        let transport = StubTransport(.response().delayed(by: 100_000))
        let task = Task { try await transport.send(.test(timeout: 100_000)) }
        task.cancel()
        await #expect(throws: URLError(.cancelled)) { try await task.value }
    }
}
