import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct IdempotencyKeyTests {
    @Test func `attempts share an idempotency key, and requests have separate keys`() async throws {
        let stub = StubTransport(.response(503), .response(200), .response(503), .response(200))
        let transport = stub.retrying(clock: TestClock(movesByItself: true))
            .addingIdempotencyKeys()
        _ = try await transport.send(.test("POST"))
        _ = try await transport.send(.test("PATCH"))
        let keys = stub.requests.map { $0.value(for: "Idempotency-Key") ?? "" }
        #expect(keys.count == 4)
        #expect(keys[0] == keys[1] && keys[2] == keys[3] && keys[0] != keys[2])
        #expect(keys[0].hasPrefix("\"") && keys[0].count == 38)
    }

    @Test
    func
        `an order whose response was lost and whose retry got 401 keeps its key through every attempt`()
        async throws
    {
        let clock = TestClock(movesByItself: true)
        let network = ScriptedTransport(clock: clock)
        // The server has acted, and the response is lost.
        network.expect(.post, "/orders").fail(.networkConnectionLost)
        network.expect(.post, "/orders").respond(.response(401))
        network.expect(.post, "/orders").respond(.response(200))
        let tokens = TokenRefresher(token: AccessToken("old"), clock: clock) { _ in
            AccessToken("new")
        }
        // A clock that moves by itself would let the timeout expire at once.
        let transport = network.authorizingAroundLayers(
            with: tokens, clock: clock, timeoutClock: TestClock())
        let request = TransportRequest.test(
            "POST", "https://api.test/orders", target: Thing(authorizationType: .bearer))
        #expect(try await transport.send(request).head.statusCode == 200)
        network.finish()
        let keys = network.requests.map { $0.value(for: "Idempotency-Key") }
        #expect(keys.count == 3)
        #expect(keys.first != .some(nil) && Set(keys).count == 1)
    }

    @Test func `an existing idempotency key is kept, and idempotent methods get no key`()
        async throws
    {
        let stub = StubTransport { try .test($0) }
        let transport = stub.addingIdempotencyKeys { "new" }
        _ = try await transport.send(.test("POST", headers: ["idempotency-key": "own"]))
        for method in ["GET", "PUT", "DELETE"] { _ = try await transport.send(.test(method)) }
        #expect(
            stub.requests.map { $0.value(for: "Idempotency-Key") } == ["own", nil, nil, nil])
    }
}

@Suite struct UserAgentTests {
    @Test(arguments: [
        (
            UserAgent(product: "Shop", version: "2.1", comments: ["Linux"]),
            "Shop/2.1 (Linux) Moya/\(Moya.version)"
        ),
        (UserAgent(product: "Shop", comments: []), "Shop Moya/\(Moya.version)"),
        (
            UserAgent(product: "My Shop\r\nX: 1", version: "1/2", comments: ["a)b", "", "ö"]),
            "My-Shop--X--1/1-2 (a-b; --) Moya/\(Moya.version)"
        ), (UserAgent(product: "", comments: []), "- Moya/\(Moya.version)"),
    ])
    func `User-Agent products and comments have invalid characters replaced`(
        agent: UserAgent, text: String
    ) {
        #expect(agent.description == text)
    }

    @Test func `a User-Agent set by a request is not replaced`() async throws {
        let stub = StubTransport { try .test($0) }
        let transport = stub.identifying(as: UserAgent(product: "Shop", comments: []))
        _ = try await transport.send(.test())
        _ = try await transport.send(.test(headers: ["user-agent": "Own"]))
        #expect(
            stub.requests.map { $0.value(for: "User-Agent") } == [
                "Shop Moya/\(Moya.version)", "Own",
            ])
        #expect(UserAgent.default.description.hasSuffix(" Moya/\(Moya.version)"))
    }
}
