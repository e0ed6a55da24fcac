import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct DeadlineTests {
    private let clock = TestClock()

    /// A target with a timeout of the whole request.
    private struct Hurried: TargetType {
        var totalTimeout: TimeInterval?
        var baseURL: URL { url("http://host.test") }
        var path: String { "/" }
        var method: Moya.Method { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval? { 600 }
    }

    private var silent: StubTransport { StubTransport(.silence, clock: clock) }

    /// Advances the clock by `seconds` once the request waits: for its response, and for its
    /// deadline.
    private func advance(by seconds: TimeInterval) async {
        await clock.waitForSleepers(2)
        clock.advance(by: seconds)
    }

    /// Returns the seconds of the deadline that ended the request with `timedOut`, or `nil`.
    private static func exceeded(_ error: (any Error)?) -> TimeInterval? {
        let cause = (error as? MoyaError)?.underlyingError as? URLError ?? error as? URLError
        guard let cause, cause.code == .timedOut else { return nil }
        return (cause.userInfo[NSUnderlyingErrorKey] as? DeadlineError)?.seconds
    }

    @Test func `an awaited request fails with timedOut at the deadline of its task`() async {
        let provider = MoyaProvider<Hurried>(transport: silent)
        async let error = thrown {
            try await withDeadline(after: 5, clock: clock) {
                try await provider.request(Hurried())
            }
        }
        await advance(by: 5)
        #expect(Self.exceeded(await error) == 5)
        #expect(RequestDeadline.current == nil)
    }

    @Test func `a request with a completion has the deadline that is set where it begins`()
        async throws
    {
        let provider = MoyaProvider<Hurried>(callbackQueue: .global(), transport: silent)
        let errors = Recorder<(any Error)?>()
        withDeadline(after: 5, clock: clock) {
            _ = provider.request(Hurried()) { result in
                if case .failure(let error) = result { errors.record(error) }
            }
        }
        await advance(by: 5)
        try await until { errors.count == 1 }
        #expect(Self.exceeded(errors.items[0]) == 5)
    }

    @Test(arguments: [(3.0, 9.0), (9, 3)])
    func `of nested deadlines the earlier one applies`(outer: Double, inner: Double) throws {
        let left = try withDeadline(after: outer, clock: clock) {
            try withDeadline(after: inner) {
                clock.advance(by: 1)
                return try #require(RequestDeadline.current).remaining
            }
        }
        #expect(left == 2)
    }

    @Test(
        arguments: [(nil, 5, 5), (7, 5, 5), (5, 7, 5), (0, 5, 5), (-1, 5, 5)]
            as [(Double?, Double, Double)])
    func `a request has the earlier of the deadlines of its target and its task`(
        own: Double?, ofTask: Double, expected: Double
    ) async throws {
        let transport = StubTransport { try .test($0) }
        try await withDeadline(after: ofTask, clock: clock) {
            let target = Hurried(totalTimeout: own)
            _ = try await MoyaProvider<Hurried>(transport: transport).request(target)
            _ = try await MoyaProvider<MultiTarget>(transport: transport)
                .request(MultiTarget(target))
        }
        #expect(transport.requests.map { $0.deadline?.remaining } == [expected, expected])
    }

    @Test func `a totalTimeout sets a deadline without a task's, and none is set without both`()
        async throws
    {
        let transport = StubTransport { try .test($0) }
        let provider = MoyaProvider<Hurried>(transport: transport)
        _ = try await provider.request(Hurried(totalTimeout: 600))
        _ = try await provider.request(Hurried())
        let left = try #require(transport.requests[0].deadline?.remaining)
        #expect(left > 0 && left <= 600)
        #expect(transport.requests[1].deadline == nil)
    }

    @Test(arguments: [TimeInterval.nan, .infinity])
    func `a deadline that never passes bounds no request`(seconds: TimeInterval) async throws {
        let transport = StubTransport { try .test($0) }
        let provider = MoyaProvider<Hurried>(transport: transport)
        try await withDeadline(after: seconds, clock: clock) {
            _ = try await provider.request(Hurried())
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: [0, -1, -.infinity] as [TimeInterval])
    func `a deadline that has passed fails every request`(seconds: TimeInterval) async {
        let transport = StubTransport { try .test($0) }
        let provider = MoyaProvider<Hurried>(transport: transport)
        let error = await thrown {
            try await withDeadline(after: seconds, clock: clock) {
                try await provider.request(Hurried())
            }
        }
        #expect(Self.exceeded(error) == seconds)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a request that is cancelled before its deadline fails with cancelled`() async {
        let provider = MoyaProvider<Hurried>(transport: silent)
        let task = Task { [clock] in
            await thrown {
                try await withDeadline(after: 5, clock: clock) {
                    try await provider.request(Hurried())
                }
            }
        }
        await clock.waitForSleepers(2)
        task.cancel()
        let error = await task.value as? MoyaError
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }

    @Test func `a streamed body ends with timedOut at the deadline`() async throws {
        let gate = GatedStreamTransport()
        let provider = MoyaProvider<Hurried>(transport: Keeping(next: gate))
        let stream = try await withDeadline(after: 5, clock: clock) {
            try await provider.stream(Hurried())
        }
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        await clock.waitForSleepers()
        clock.advance(by: 5)
        let error = await thrown { try await chunks.next() }
        #expect(Self.exceeded(error) == 5)
        try await gate.waitForStops(1)
    }

    @Test func `the deadline's timer ends with the streamed body`() async throws {
        let gate = GatedStreamTransport()
        var request = TransportRequest.test(destination: .stream)
        request.deadline = RequestDeadline(after: 5, clock: clock)
        let response = try await Keeping(next: gate).send(request)
        gate.finish()
        #expect(try await response.streamed() == "onetwo")
        try await until { clock.sleeperCount == 0 }
    }

    private struct Keeping<Next: Transport>: Transport {
        let next: Next

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await request.keepingDeadline { try await next.send($0) }
        }
    }

    @Test func `a request closure that does not call back ends at the deadline`() async {
        let kept = Recorder<MoyaProvider<Hurried>.RequestResultClosure>()
        let provider = MoyaProvider<Hurried>(
            requestClosure: { kept.record($1) }, transport: silent)
        async let error = thrown {
            try await withDeadline(after: 5, clock: clock) {
                try await provider.request(Hurried())
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: 5)
        #expect(Self.exceeded(await error) == 5)
    }

    @Test func `a cancellation by a layer after the deadline is thrown as timedOut`() async {
        var request = TransportRequest.test()
        request.deadline = RequestDeadline(after: 5, clock: clock)
        let error = await thrown {
            try await request.followingRedirects { _ in
                clock.advance(by: 5)
                throw URLError(.cancelled)
            }
        }
        #expect(Self.exceeded(error) == 5)
    }

    @Test func `a request made without a provider has the deadline of its task`() {
        withDeadline(after: 5, clock: clock) {
            #expect(TransportRequest.test().deadline?.remaining == 5)
        }
        #expect(TransportRequest.test().deadline == nil)
    }

    // MARK: trackInflights

    private func sharing(_ transport: any Transport) -> MoyaProvider<Hurried> {
        MoyaProvider<Hurried>(transport: transport, trackInflights: true)
    }

    private func send(
        _ provider: MoyaProvider<Hurried>, within seconds: TimeInterval
    ) -> Task<Result<String, any Error>, Never> {
        Task { [clock] in
            await withDeadline(after: seconds, clock: clock) {
                do {
                    return .success(try await provider.request(Hurried()).mapString())
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    @Test func `a request that shares a response leaves at its own deadline`() async throws {
        let gate = GatedTransport()
        let provider = sharing(gate)
        let first = send(provider, within: 9)
        try await gate.waitForSends(1)
        let second = send(provider, within: 5)
        await clock.waitForSleepers()
        clock.advance(by: 5)
        guard case .failure(let error) = await second.value else {
            Issue.record("The second request has a response.")
            return
        }
        #expect(Self.exceeded(error) == 5)
        #expect(gate.cancelCount == 0)
        gate.answer()
        #expect(try await first.value.get() == "answer")
    }

    @Test func `a request that shares a response is sent itself if the other's deadline passes`()
        async throws
    {
        let gate = GatedTransport()
        let provider = sharing(Keeping(next: gate))
        let first = send(provider, within: 5)
        try await gate.waitForSends(1)
        let second = send(provider, within: 9)
        await clock.waitForSleepers(2)
        clock.advance(by: 5)
        guard case .failure(let error) = await first.value else {
            Issue.record("The first request has a response.")
            return
        }
        #expect(Self.exceeded(error) == 5)
        try await gate.waitForSends(2)
        gate.answer(2)
        #expect(try await second.value.get() == "answer")
    }
}
