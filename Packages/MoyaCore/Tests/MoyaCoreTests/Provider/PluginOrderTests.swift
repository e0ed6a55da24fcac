import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct PluginOrderTests {
    @Test func `each plugin hook runs once per request, in the order of the plugins`() async throws
    {
        let log = Recorder<String>()
        let provider = MoyaProvider<GitHub>(
            transport: FixedTransport(),
            plugins: [SpyPlugin("1 ", events: log), SpyPlugin("2 ", events: log)])
        let expected = ["prepare", "willSend", "didReceive", "process"].flatMap {
            ["1 \($0)", "2 \($0)"]
        }
        _ = try await provider.request(.zen)
        #expect(log.items == expected)
        _ = try await provider.result(of: .zen).get()
        #expect(log.items == expected + expected)
    }

    @Test func `the last progress report is made after didReceive and before process`()
        async throws
    {
        let log = Recorder<String>()
        let provider = MoyaProvider<GitHub>(
            transport: FixedTransport(), plugins: [SpyPlugin(events: log)])
        try await withCallback { (continuation: Callback<Void>) in
            provider.request(.zen, callbackQueue: DispatchQueue(label: "callbacks")) { report in
                if report.completed { log.record("progress") }
            } completion: { _ in
                log.record("completion")
                continuation.resume()
            }
        }
        #expect(
            log.items == [
                "prepare", "willSend", "didReceive", "progress", "process", "completion",
            ])
    }

    struct Recovering: PluginType {
        func process(
            _ result: Result<Response, MoyaError>, target: any TargetType
        ) -> Result<Response, MoyaError> {
            .success(Response("recovered", status: 299))
        }
    }

    @Test(arguments: [StubBehavior.never, .immediate, .delayed(seconds: 0.001)])
    func `the process hook of a plugin may replace the result`(behavior: StubBehavior) async throws
    {
        let provider = MoyaProvider<GitHub>(
            stubClosure: { _ in behavior }, transport: FixedTransport(error: URLError(.timedOut)),
            plugins: [Recovering()])
        #expect(try await provider.request(.zen).statusCode == 299)
        #expect(try await provider.result(of: .zen).get().statusCode == 299)
    }

    static let unsendable: [(String, MoyaProvider<GitHub>.RequestClosure, [String])] = [
        (
            "the request closure fails", { _, done in done(.failure(.requestMapping("x"))) },
            ["process"]
        ),
        (
            "the request has a body stream",
            { _, done in
                var request = URLRequest(url: url("http://host.test"))
                request.httpBodyStream = InputStream(data: Data())
                done(.success(request))
            }, ["prepare", "process"]
        ),
    ]

    @Test(arguments: unsendable)
    func `the process hook of a plugin sees the error of a request that is not sent`(
        why: String, closure: @escaping MoyaProvider<GitHub>.RequestClosure, events: [String]
    ) async throws {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(
            requestClosure: closure, transport: FixedTransport(), plugins: [spy, Recovering()])
        #expect(try await provider.request(.zen).statusCode == 299)
        #expect(spy.events.items == events)
        #expect(try await provider.result(of: .zen).get().statusCode == 299)
        #expect(spy.events.items == events + events)
    }

    @Test func `the process hook of a plugin runs for a request awaited in a cancelled task`() async
    {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(transport: FixedTransport(), plugins: [spy])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.request(.zen)
        }
        _ = await task.result
        #expect(spy.events.items == ["process"])
    }

    @Test func `the process hook of a plugin runs for a stream opened in a cancelled task`() async {
        let spy = SpyPlugin()
        let provider = MoyaProvider<GitHub>(transport: FixedTransport(), plugins: [spy])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await provider.stream(.zen)
        }
        _ = await task.result
        #expect(spy.events.items == ["process"])
    }

    /// A provider whose closures record their names.
    private func provider(recordingIn log: Recorder<String>) -> MoyaProvider<GitHub> {
        MoyaProvider(
            endpointClosure: {
                log.record("endpoint")
                return MoyaProvider.defaultEndpointMapping(for: $0)
            },
            requestClosure: {
                log.record("request")
                MoyaProvider<GitHub>.defaultRequestMapping(for: $0, closure: $1)
            },
            stubClosure: { _ in
                log.record("stub")
                return .never
            }, transport: FixedTransport())
    }

    @Test func `the closures of a provider run in the order endpoint, stub, request`() async throws
    {
        let log = Recorder<String>()
        let provider = provider(recordingIn: log)
        let expected = ["endpoint", "stub", "request"]
        _ = try await provider.result(of: .zen).get()
        #expect(log.items == expected)
        _ = try await provider.request(.zen)
        #expect(log.items == expected + expected)
        _ = try await provider.stream(.zen)
        #expect(log.items == expected + expected + expected)
    }

    @Test(arguments: [true, false])
    func `a request in a cancelled task calls none of the provider's closures`(isStream: Bool)
        async
    {
        let log = Recorder<String>()
        let provider = provider(recordingIn: log)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            if isStream {
                _ = try await provider.stream(.zen)
            } else {
                _ = try await provider.request(.zen)
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        #expect(log.items == [])
    }

    final class Authenticating: PluginType {
        let seen = Recorder<String>()
        func willSend(_ request: any RequestType, target: any TargetType) {
            request.authenticate(username: "user", password: "pass", persistence: .none)
                .cURLDescription { [seen] in seen.record($0) }
            seen.record(request.request?.url?.absoluteString ?? "")
        }
    }

    @Test func `the willSend hook of a plugin may set a credential and read the request`()
        async throws
    {
        let transport = StubTransport { try .stub(for: $0) }
        let plugin = Authenticating()
        _ = try await MoyaProvider<GitHub>(transport: transport, plugins: [plugin]).request(.zen)
        #expect(transport.requests.first?.credential?.user == "user")
        #expect(transport.requests.first?.credential?.password == "pass")
        #expect(plugin.seen.items.last == "https://api.github.com/zen")
        #expect(plugin.seen.items.first?.hasPrefix("$ curl -v") == true)
    }
}
