import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@Suite struct RequestContextTests {
    private struct Ranked: TargetType {
        let baseURL = url("http://host.test")
        let path = "ranked"
        let method = Moya.Method.get
        let task = RequestTask.requestPlain
        let headers: [String: String]? = nil
        var rank: Int
    }

    private enum Rank: RequestContextKey {
        static func value(for target: (any TargetType)?) -> Int? { (target as? Ranked)?.rank }
    }

    private enum Described: TargetType, CustomStringConvertible {
        case secret

        var baseURL: URL { url("http://host.test") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
        var description: String { "token" }
    }

    /// Returns the context of the request that a provider sends.
    private func sent<Target: TargetType>(_ target: Target) async throws -> RequestContext {
        let transport = StubTransport { try .stub(for: $0) }
        _ = try await MoyaProvider<Target>(transport: transport).request(target)
        return try #require(transport.requests.first).context
    }

    @Test func `a key of a user's own has the value of the target, until it is set`() async throws {
        var context = try await sent(Ranked(rank: 2))
        #expect(context[Rank.self] == 2)
        context[Rank.self] = 3
        #expect(context[Rank.self] == 3)
        context[Rank.self] = nil
        #expect(context[Rank.self] == nil)
    }

    @Test func `a value that is set leaves the values of other keys to the target`() async throws {
        var context = try await sent(Ranked(rank: 2))
        context.authorizationType = .bearer
        #expect(context[Rank.self] == 2)
        #expect(context.name == "Ranked")
        context.name = nil
        #expect(context.name == nil)
        #expect(context.authorizationType == .bearer)
    }

    @Test func `a value is set without a target, and stays with a copy of the request`() {
        var request = TransportRequest.test()
        #expect(request.context.target == nil)
        #expect(request.context[Rank.self] == nil)
        #expect(request.context.authorizationType == nil)
        request.context[Rank.self] = 1
        request.context.authorizationType = .basic
        let copy = request
        request.context[Rank.self] = 5
        #expect(copy.context[Rank.self] == 1)
        #expect(copy.context.authorizationType == .basic)
    }

    @Test func `a MultiTarget, also one in another, is unwrapped once, by the provider`()
        async throws
    {
        let context = try await sent(MultiTarget(MultiTarget(Ranked(rank: 7))))
        #expect(context.target is Ranked)
        #expect(context[Rank.self] == 7)
    }

    @Test func `the coders of the context are those of the provider`() async throws {
        let transport = StubTransport { try .stub(for: $0) }
        let coders = Coders(decoder: PropertyListDecoder())
        _ = try await MoyaProvider<GitHub>(transport: transport, coders: coders).request(.zen)
        let context = try #require(transport.requests.first).context
        #expect(context.coders.decoder(for: nil) is PropertyListDecoder)
    }

    @Test func `the name is that of the case or the type, without values and descriptions`()
        async throws
    {
        #expect(try await sent(GitHub.zen).name == "zen")
        #expect(try await sent(GitHub.userProfile("ashfurrow")).name == "userProfile")
        #expect(try await sent(MultiTarget(GitHub.zen)).name == "zen")
        #expect(try await sent(Ranked(rank: 1)).name == "Ranked")
        #expect(try await sent(Described.secret).name == "Described")
        var context = RequestContext()
        #expect(context.name == nil)
        context.name = "token refresh"
        #expect(context.name == "token refresh")
    }
}
