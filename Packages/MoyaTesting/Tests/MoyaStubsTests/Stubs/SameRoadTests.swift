import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaStubs
import MoyaTestSupport
import MoyaTransportCurl
import Testing

/// A stub takes the same steps as a request to a server: hooks in the same order and places.
@Suite(.timeLimit(.minutes(3))) struct SameRoadTests {
    private static let key = DispatchSpecificKey<Bool>()

    /// Records each hook and where it runs.
    private final class Places: PluginType {
        let seen = Locked<[String]>([])
        /// The thread that calls `request` with a completion.
        let caller = Locked<pthread_t?>(nil)
        /// The task that calls `request` with `await`.
        let task = Locked<Int?>(nil)

        static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

        private func record(_ hook: String) {
            let isCaller = caller.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } }
            let place =
                if DispatchQueue.getSpecific(key: SameRoadTests.key) == true {
                    "callback queue"
                } else if isCaller == true {
                    "caller's thread"
                } else if let task = task.withLock({ $0 }), task == Self.currentTask {
                    "caller's task"
                } else {
                    "another thread"
                }
            seen.withLock { $0.append("\(hook): \(place)") }
        }

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            record("prepare")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) { record("willSend") }

        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
            record("didReceive")
        }

        func process(
            _ result: Result<Response, MoyaError>, target: any TargetType
        ) -> Result<Response, MoyaError> {
            record("process")
            return result
        }
    }

    private struct Page: TargetType {
        let baseURL: URL
        let path = "/get"
        let method = MoyaCore.Method.get
        let task = RequestTask.requestPlain
        let headers: [String: String]? = nil
    }

    /// Sends a request to a server, to a `StubTransport` and to a `StubbedProvider`, and returns
    /// what the plugin has recorded of each.
    private func places(
        _ send: (MoyaProvider<Page>, Page, Places) async throws -> Void
    ) async throws -> [[String]] {
        let server = try MockServer()
        defer { server.stop() }
        let page = Page(baseURL: server.url)
        let plugins = (0..<4).map { _ in Places() }
        let stubbed = StubbedProvider<Page>(plugins: [plugins[2]])
        stubbed.stub(where: { _ in true }, with: .text("{}"))
        let providers = [
            MoyaProvider<Page>(transport: CurlTransport(), plugins: [plugins[0]]),
            MoyaProvider<Page>(transport: StubTransport(.text("{}")), plugins: [plugins[1]]),
            stubbed,
            MoyaProvider<Page>(
                stubClosure: MoyaProvider.immediatelyStub, transport: CurlTransport(),
                plugins: [plugins[3]]),
        ]
        for (provider, places) in zip(providers, plugins) { try await send(provider, page, places) }
        return plugins.map { $0.seen.withLock { $0 } }
    }

    @Test func `hooks of an awaited request run in the caller's task, for servers and stubs`()
        async throws
    {
        let seen = try await places { provider, page, places in
            places.task.withLock { $0 = Places.currentTask }
            _ = try await provider.request(page)
        }
        let task = ["prepare", "willSend", "didReceive", "process"].map { "\($0): caller's task" }
        #expect(seen == [task, task, task, task])
    }

    @Test
    func `hooks of a completion run where it is called and on its queue, for servers and stubs`()
        async throws
    {
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: Self.key, value: true)
        let seen = try await places { provider, page, places in
            try await withCallback { (continuation: Callback<Void>) in
                places.caller.withLock { $0 = pthread_self() }
                provider.request(page, callbackQueue: queue) { _ in continuation.resume() }
            }
        }
        let place =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                "caller's thread"
            } else {
                "another thread"
            }
        let steps = [
            "prepare: \(place)", "willSend: \(place)", "didReceive: callback queue",
            "process: callback queue",
        ]
        #expect(seen == [steps, steps, steps, steps])
    }

    @Test func `hooks of a stream run in the caller's task before its head, for servers and stubs`()
        async throws
    {
        let seen = try await places { provider, page, places in
            places.task.withLock { $0 = Places.currentTask }
            for try await _ in try await provider.stream(page) {}
            try await until { places.seen.withLock { $0.count == 3 } }
        }
        for hooks in seen {
            #expect(hooks.prefix(2) == ["prepare: caller's task", "willSend: caller's task"])
            #expect(hooks.dropFirst(2).map { $0.hasPrefix("didReceive") } == [true])
        }
    }
}
