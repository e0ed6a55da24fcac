import Foundation
import MoyaCore
import MoyaInternals
import MoyaLayers
import MoyaPlugins
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// ``NetworkActivityPlugin`` reports exactly one end for each start, whatever the outcome of a
/// request.
@Suite(.timeLimit(.minutes(3))) struct ActivityBalanceTests {
    private let changes = Recorder<NetworkActivityChangeType>()
    private let queue = DispatchQueue(label: "test")
    private let gate = GatedTransport()
    /// Retains providers, because a released provider cancels its requests.
    private let kept = Recorder<MoyaProvider<Thing>>()

    private func provider(
        _ transport: any Transport, stub: StubBehavior = .never,
        requestClosure: @escaping MoyaProvider<Thing>.RequestClosure =
            MoyaProvider<Thing>.defaultRequestMapping, tracksInflights: Bool = false
    ) -> MoyaProvider<Thing> {
        let changes = changes
        return MoyaProvider(
            requestClosure: requestClosure, stubClosure: { _ in stub }, callbackQueue: queue,
            transport: transport,
            plugins: [NetworkActivityPlugin { change, _ in changes.record(change) }],
            trackInflights: tracksInflights)
    }

    /// Starts a request. Returns its cancellation token and its status code, `nil` for an error.
    private func begin(
        _ provider: MoyaProvider<Thing>, _ target: Thing = Thing(), isKept: Bool = true
    ) -> (token: any Cancellable, status: Task<Int?, Never>) {
        if isKept { kept.record(provider) }
        let (results, result) = AsyncStream<Int?>.makeStream()
        let token = provider.request(target) { outcome in
            result.yield((try? outcome.get())?.statusCode)
            result.finish()
        }
        let status = Task { () -> Int? in
            for await status in results { return status }
            return nil
        }
        return (token, status)
    }

    @Test func `a request cancelled before the request closure answers begins no activity`() async {
        let due = Locked<(@Sendable () -> Void)?>(nil)
        let provider = provider(gate) { endpoint, done in
            due.withLock { $0 = { done(Result { try endpoint.urlRequest() }.moya) } }
        }
        let (token, status) = begin(provider)
        token.cancel()
        #expect(await status.value == nil)
        // The request closure completes after the cancellation.
        due.withLock { $0 }?()
        #expect(changes.items.isEmpty)
        #expect(gate.sendCount == 0)
    }

    @Test func `the activity of a request cancelled in flight ends once`() async throws {
        let (token, status) = begin(provider(gate))
        try await gate.waitForSends(1)
        #expect(changes.items == [.began])
        token.cancel()
        token.cancel()
        #expect(await status.value == nil)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a request cancelled after completion ends once`() async {
        let (token, status) = begin(provider(StubTransport(.response(200))))
        #expect(await status.value == 200)
        token.cancel()
        queue.sync {}
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a request ends when the awaiting task is cancelled`() async throws {
        let provider = provider(gate)
        let task = Task { try await provider.request(Thing()).statusCode }
        try await gate.waitForSends(1)
        task.cancel()
        #expect(await thrown { try await task.value } != nil)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a request ends when the provider is released`() async throws {
        var provider: MoyaProvider<Thing>? = provider(gate)
        let status = provider.map { begin($0, isKept: false).status }
        try await gate.waitForSends(1)
        provider = nil
        #expect(await status?.value == Int?.none)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `a retried request is one activity`() async throws {
        let stub = StubTransport(.response(503), .failure(.timedOut), .response(200))
        let clock = TestClock(movesByItself: true)
        let response = try await provider(stub.retrying(clock: clock)).request(Thing())
        #expect(response.statusCode == 200)
        #expect(stub.requests.count == 3)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a request cancelled between two attempts ends`() async {
        let clock = TestClock()
        let stub = StubTransport {
            try .test($0, 503, ["Retry-After": "30"])
        }
        let (token, status) = begin(provider(stub.retrying(clock: clock)))
        await clock.waitForSleepers()
        token.cancel()
        #expect(await status.value == nil)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a request cancelled in the concurrency queue ends`() async throws {
        let limited = gate.limitingConcurrency(perHost: 1)
        async let first = limited.send(.test("GET", "https://api.example.test/thing"))
        try await gate.waitForSends(1)
        let (token, status) = begin(provider(limited))
        token.cancel()
        #expect(await status.value == nil)
        #expect(changes.items == [.began, .ended])
        gate.answer()
        _ = try? await first
    }

    @Test(arguments: [true, false])
    func `the activity of a failed or refused request ends`(isAnswered: Bool) async {
        let stub = StubTransport(isAnswered ? .response(404) : .failure(.timedOut))
        let (_, status) = begin(provider(stub), Thing(validationType: .successCodes))
        #expect(await status.value == nil)
        #expect(changes.items == [.began, .ended])
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 0.001)])
    func `the activity of a stub begins and ends`(behavior: StubBehavior) async {
        let (_, status) = begin(provider(gate, stub: behavior))
        #expect(await status.value == 200)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a cancelled stub ends once`() async {
        let (token, status) = begin(provider(gate, stub: .delayed(seconds: 3600)))
        #expect(changes.items == [.began])
        token.cancel()
        #expect(await status.value == nil)
        #expect(changes.items == [.began, .ended])
    }

    @Test func `requests that share an exchange are one activity`() async throws {
        let provider = provider(gate, tracksInflights: true)
        let requests = (0..<3).map { _ in begin(provider) }
        try await gate.waitForSends(1)
        requests[1].token.cancel()
        #expect(await requests[1].status.value == nil)
        #expect(changes.items == [.began])
        gate.answer()
        #expect(await requests[0].status.value == 200)
        #expect(await requests[2].status.value == 200)
        #expect(changes.items == [.began, .ended])
        #expect(gate.sendCount == 1)
    }

    @Test func `the activity of an exchange that all requests have cancelled ends once`()
        async throws
    {
        let provider = provider(gate, tracksInflights: true)
        let requests = (0..<3).map { _ in begin(provider) }
        try await gate.waitForSends(1)
        for request in requests { request.token.cancel() }
        for request in requests { #expect(await request.status.value == nil) }
        // A cancelled request does not wait for the end of the shared request.
        try await until { changes.items.count > 1 }
        #expect(changes.items == [.began, .ended])
    }

    @Test(arguments: [true, false])
    func `the activity of a stream ends with the last byte or when the reader stops`(isRead: Bool)
        async throws
    {
        let source = GatedStreamTransport()
        let response = try await provider(source).stream(Thing())
        #expect(changes.items == [.began])
        for try await _ in response {
            guard isRead else { break }
            source.finish()
        }
        #expect(changes.items == [.began, .ended])
        #expect(source.stopCount == (isRead ? 0 : 1))
    }

    @Test func `the activity of an unread stream ends when the response is released`() async throws
    {
        _ = try await provider(GatedStreamTransport()).stream(Thing())
        #expect(changes.items == [.began, .ended])
    }

    @Test func `the activity of a stream cancelled before the response head ends`() async throws {
        let provider = provider(gate)
        let task = Task { try await provider.stream(Thing()).statusCode }
        try await gate.waitForSends(1)
        task.cancel()
        #expect(await thrown { try await task.value } != nil)
        #expect(changes.items == [.began, .ended])
    }
}

extension Result where Failure == any Error {
    /// This result with its error as a `MoyaError`.
    fileprivate var moya: Result<Success, MoyaError> {
        mapError { ($0 as? MoyaError) ?? .underlying($0, nil) }
    }
}
