import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// In-flight tracking compares requests, not only targets: a plugin may add a user's token.
@Suite(.timeLimit(.minutes(3))) struct InflightIdentityTests {
    /// Responds with the request's token.
    private let transport = GatedTransport { request in
        let token = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? ""
        return TransportResponse(
            head: ResponseHead(statusCode: 200, url: url("http://host.test")),
            body: .data(Data(token.utf8)))
    }

    /// Adds a token, as an app's plugin does.
    private struct TokenPlugin: PluginType {
        let token: @Sendable (any TargetType) -> String
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue(token(target), forHTTPHeaderField: "Authorization")
            return request
        }
    }

    private func provider<Target: TargetType>(
        of _: Target.Type, _ plugins: [any PluginType]
    ) -> MoyaProvider<Target> {
        MoyaProvider<Target>(
            callbackQueue: DispatchQueue(label: "callbacks"), transport: transport,
            plugins: plugins, trackInflights: true)
    }

    private struct Alice: TargetType, EmptyTarget {}
    private struct Bob: TargetType, EmptyTarget {}
    private struct Member: TargetType, EmptyTarget, AccessTokenAuthorizable {
        let authorizationType: AuthorizationType?
    }

    @Test func `targets with different access tokens do not share a response`() async throws {
        let plugin = TokenPlugin { target in
            ((target as? MultiTarget)?.target is Alice) ? "alice" : "bob"
        }
        let provider = provider(of: MultiTarget.self, [plugin])
        async let alice = provider.request(MultiTarget(Alice()))
        async let bob = provider.request(MultiTarget(Bob()))
        try await transport.waitForSends(2)
        transport.open()
        #expect(try await alice.mapString() == "alice")
        #expect(try await bob.mapString() == "bob")
    }

    @Test func `targets with different schemes of authorization do not share a response`()
        async throws
    {
        let provider = provider(of: MultiTarget.self, [])
        async let none = provider.request(MultiTarget(Member(authorizationType: nil)))
        async let basic = provider.request(MultiTarget(Member(authorizationType: .basic)))
        async let bearer = provider.request(MultiTarget(Member(authorizationType: .bearer)))
        try await transport.waitForSends(3)
        transport.open()
        _ = try await (none, basic, bearer)
    }

    @Test func `requests made before and after a token change do not share a response`()
        async throws
    {
        let accounts = Recorder<String>()
        accounts.record("alice")
        let provider = provider(
            of: GitHub.self, [TokenPlugin { _ in accounts.items.last ?? "" }])
        async let before = provider.request(.zen)
        try await transport.waitForSends(1)
        accounts.record("bob")
        async let after = provider.request(.zen)
        try await transport.waitForSends(2)
        transport.open()
        #expect(try await before.mapString() == "alice")
        #expect(try await after.mapString() == "bob")
    }

    @Test func `a joined request runs prepare and process, but not willSend and didReceive`()
        async throws
    {
        let spy = SpyPlugin()
        let provider = provider(of: GitHub.self, [spy])
        async let first = provider.request(.zen)
        try await transport.waitForSends(1)
        async let second = provider.request(.zen)
        try await until { provider.inflightRequests.values.first?.count == 2 }
        transport.open()
        _ = try await (first, second)
        let counts = Dictionary(grouping: spy.events.items, by: { $0 }).mapValues(\.count)
        #expect(counts == ["prepare": 2, "willSend": 1, "didReceive": 1, "process": 2])
    }

    /// Sends the same request again from the first `willSend`, and sets a credential for `user`.
    private final class ReentrantPlugin: PluginType {
        let user: String?
        let again = Recorder<@Sendable () -> Void>()
        let seen = Recorder<Void>()
        init(user: String?) { self.user = user }
        func willSend(_ request: any RequestType, target: any TargetType) {
            if seen.add(()) == 1 { again.items.first?() }
            guard let user else { return }
            request.authenticate(username: user, password: "secret", persistence: .none)
        }
    }

    @Test(arguments: [(String?.none, 2), ("alice", 3)])
    func `equal requests share a response unless willSend is running or sets a credential`(
        user: String?, sendCount: Int
    ) async throws {
        let plugin = ReentrantPlugin(user: user)
        let provider = provider(of: GitHub.self, [plugin])
        let answers = Recorder<Bool>()
        try await withCallback { (continuation: Callback<Void>) in
            let done: Completion = { result in
                if answers.add((try? result.get()) != nil) == 3 { continuation.resume() }
            }
            plugin.again.record { provider.request(.zen, completion: done) }
            provider.request(.zen, completion: done)
            provider.request(.zen, completion: done)
            transport.open()
        }
        #expect(answers.items == [true, true, true])
        // The request from within `willSend` is sent separately. The last request joins.
        #expect(transport.sendCount == sendCount)
        #expect(plugin.seen.count == sendCount)
    }

    @Test func `requests with and without cookie handling do not share a response`() async throws {
        let isFirst = Recorder<Void>()
        let provider = MoyaProvider<GitHub>(
            requestClosure: { endpoint, done in
                var request = try? endpoint.urlRequest()
                request?.httpShouldHandleCookies = isFirst.add(()) == 1
                done(request.map { .success($0) } ?? .failure(.requestMapping("")))
            },
            callbackQueue: DispatchQueue(label: "callbacks"), transport: transport,
            trackInflights: true)
        async let signedIn = provider.request(.zen)
        try await transport.waitForSends(1)
        async let anonymous = provider.request(.zen)
        try await transport.waitForSends(2)
        transport.open()
        _ = try await (signedIn, anonymous)
    }

    /// Blocks `willSend` until the gate is signalled.
    private struct SlowPlugin: PluginType {
        let begun: AsyncStream<Void>.Continuation
        let gate: DispatchSemaphore
        func willSend(_ request: any RequestType, target: any TargetType) {
            begun.yield()
            gate.wait()
        }
    }

    @Test
    func `an equal request is sent and cancelled alone while willSend blocks the first request`()
        async throws
    {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let provider = provider(of: GitHub.self, [SlowPlugin(begun: begin, gate: gate)])
        let answers = Recorder<Int?>()
        let note: Completion = { answers.record($0.urlErrorCode) }
        DispatchQueue(label: "first").async { provider.request(.zen, completion: note) }
        try await waitForEvent(in: begun)
        DispatchQueue(label: "second").async { provider.request(.zen, completion: note).cancel() }
        try await waitForEvent(in: begun)
        // Each signal releases one of the two requests.
        gate.signal()
        gate.signal()
        try await until { answers.items.contains(NSURLErrorCancelled) }
        try await until { provider.unansweredEndpoints.count == 1 }
        transport.open()
        try await until { answers.count == 2 }
        #expect(answers.items == [NSURLErrorCancelled, nil])
        try await transport.waitForSends(2)
    }

    /// Sets a different boundary on each call, as a multipart form does.
    private struct Form: UploadBody {
        let text: String
        func makeBody(for request: inout URLRequest) throws -> RequestBody {
            request.setValue("form; boundary=\(UUID())", forHTTPHeaderField: "Content-Type")
            return .data(Data(text.utf8))
        }
    }

    @Test func `equal uploads share an exchange although their boundaries differ`() async throws {
        let provider = provider(of: AnyTarget.self, [])
        func target(_ text: String) -> AnyTarget {
            AnyTarget(method: .post, task: RequestTask(body: .upload(Form(text: text))))
        }
        async let first = provider.request(target("a"))
        try await transport.waitForSends(1)
        async let second = provider.request(target("a"))
        try await until { provider.inflightRequests.values.first?.count == 2 }
        async let other = provider.request(target("b"))
        try await transport.waitForSends(2)
        transport.open()
        _ = try await (first, second, other)
        #expect(transport.sendCount == 2)
    }

    @Test func `releasing the provider cancels the first request and its joiners once each`()
        async throws
    {
        let results = Recorder<Int?>()
        try await withCallback { (continuation: Callback<Void>) in
            var provider: MoyaProvider<GitHub>? = provider(of: GitHub.self, [])
            for _ in 0..<3 {
                provider?.request(.zen) { result in
                    if results.add(result.urlErrorCode) == 3 { continuation.resume() }
                }
            }
            provider = nil
        }
        #expect(results.items == [NSURLErrorCancelled, NSURLErrorCancelled, NSURLErrorCancelled])
    }
}

/// Properties of targets with equal requests.
private protocol EmptyTarget {}

extension EmptyTarget {
    var baseURL: URL { url("http://host.test") }
    var path: String { "/me" }
    var method: Moya.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}
