import Foundation
import MoyaCore
import MoyaReactiveTestSupport
import MoyaTesting
import Testing

@testable import MoyaEvents

@Suite(.timeLimit(.minutes(3))) struct RequestSubscriptionTests {
    @Test func `A subscription sends its request on the first demand, and only once`() async {
        let transport = HeldTransport()
        let traffic = Traffic()
        let provider = MoyaProvider<Service>(
            callbackQueue: .global(), transport: transport, plugins: [traffic])
        let log = EventLog<Response>()
        let subscription = log.subscribe(to: .response(to: .user, from: provider))
        subscription.request(0)
        #expect(traffic.requestCount == 0)
        subscription.request(1)
        subscription.request(1)
        transport.open()
        await log.waitForEnd()
        #expect(traffic.requestCount == 1)
        #expect(log.ends == ["finished"])
    }

    @Test func `A subscriber on a concurrent queue receives one event at a time`() async {
        for _ in 0..<50 {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
            let log = EventLog<Bool>()
            let busy = Busy()
            let subscription = RequestSource.progress(
                of: .user, from: provider, callbackQueue: nil
            ).start { event in
                log.value(busy.enter())
                if case .value = event {} else { log.finished() }
                busy.leave()
            }
            await transport.waitForSends()
            for count in 1...20 { transport.report(Int64(count), of: 20) }
            transport.open()
            await log.waitForEnd()
            #expect(!log.values.contains(false))
            subscription.cancel()
        }
    }

    @Test func `Racing demand, response, cancel and release of the provider leave at most one end`()
        async throws
    {
        for round in 0..<200 {
            let transport = HeldTransport()
            let queue = DispatchQueue(label: "events")
            var provider: MoyaProvider<Service>? = MoyaProvider(
                callbackQueue: queue, transport: transport)
            let log = EventLog<Response>()
            let source = try #require(
                provider.map { RequestSource.response(to: .user, from: $0) })
            let subscription = log.subscribe(to: source)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { subscription.request(nil) }
                group.addTask { transport.open() }
                if round % 2 == 0 { group.addTask { subscription.cancel() } }
                if round % 3 == 0 { provider = nil }
            }
            if round % 2 == 1 { await log.waitForEnd() }
            queue.sync {}
            #expect(log.ends.count <= 1)
            #expect(log.values.count <= 1)
        }
    }

    @Test func `A subscriber that cancels while it receives a value gets no further event`() {
        let provider = MoyaProvider<Service>(
            stubClosure: MoyaProvider.immediatelyStub, transport: HeldTransport())
        let log = EventLog<ProgressResponse>()
        let held = Held<RequestSubscription<ProgressResponse>>()
        let subscription = RequestSubscription(
            .progress(of: .user, from: provider, callbackQueue: nil)
        ) { event in
            if case .value(let value) = event {
                log.value(value)
                held.value?.cancel()
            } else {
                log.finished()
            }
            return nil
        }
        held.value = subscription
        subscription.request(nil)
        #expect(log.values.count == 1)
        #expect(log.ends.isEmpty)
    }

    @Test func `A subscription cancelled before its first demand sends no request`() {
        let traffic = Traffic()
        let provider = MoyaProvider<Service>(transport: HeldTransport(), plugins: [traffic])
        let log = EventLog<Response>()
        let subscription = log.subscribe(to: .response(to: .user, from: provider))
        subscription.cancel()
        subscription.request(nil)
        #expect(traffic.requestCount == 0)
        #expect(log.ends.isEmpty)
    }

    @Test func `A cancel within the request closure cancels the request`() async {
        let transport = HeldTransport()
        let held = Held<RequestSubscription<Response>>()
        let provider = MoyaProvider<Service>(
            requestClosure: { endpoint, done in
                MoyaProvider<Service>.defaultRequestMapping(for: endpoint, closure: done)
                held.value?.cancel()
            }, callbackQueue: .global(), transport: transport)
        let log = EventLog<Response>()
        let subscription = log.subscribe(to: .response(to: .user, from: provider))
        held.value = subscription
        subscription.request(nil)
        await transport.waitForCancels()
        #expect(log.ends.isEmpty)
    }

    @Test func `A finished or cancelled subscription does not retain its subscriber`() async {
        let transport = HeldTransport()
        let queue = DispatchQueue(label: "events")
        let provider = MoyaProvider<Service>(callbackQueue: queue, transport: transport)
        var log: EventLog<Response>? = EventLog()
        weak let released = log
        let over = log?.subscribe(to: .response(to: .user, from: provider))
        let cancelled = log?.subscribe(to: .response(to: .user, from: provider))
        over?.request(nil)
        cancelled?.request(nil)
        cancelled?.cancel()
        transport.open()
        await log?.waitForEnd()
        queue.sync {}
        log = nil
        #expect(released == nil)
        withExtendedLifetime((over, cancelled)) {}
    }

    @Test func `A subscriber whose deinit cancels its subscription may be released by a cancel`()
        async
    {
        let transport = HeldTransport()
        let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
        let held = Held<RequestSubscription<Response>>()
        var ending: Ending? = Ending { held.value?.cancel() }
        let subscription = RequestSubscription(
            .response(to: .user, from: provider, callbackQueue: nil)
        ) { [ending] _ in
            withExtendedLifetime(ending) {}
            return nil
        }
        held.value = subscription
        ending = nil
        subscription.request(nil)
        await transport.waitForSends()
        subscription.cancel()
        await transport.waitForCancels()
    }

    @Test func `A token whose deinit cancels the subscription may be released at its end`() async {
        let transport = HeldTransport()
        let provider = Ended(callbackQueue: .global(), transport: transport)
        let log = EventLog<Response>()
        let subscription = log.subscribe(to: .response(to: .user, from: provider))
        provider.subscription.value = subscription
        subscription.request(nil)
        transport.open()
        await log.waitForEnd()
        subscription.cancel()
        #expect(log.values.count == 1)
    }

    @Test func `The last progress has the response that the plugins processed`() async {
        let provider = StubbedProvider<Service>(callbackQueue: .global(), plugins: [Shouting()])
        let log = EventLog<ProgressResponse>()
        log.subscribe(to: .progress(of: .user, from: provider)).request(nil)
        await log.waitForEnd()
        #expect(log.values.filter(\.completed).count == 1)
        #expect(log.values.last?.response.map { $0.data.count } == 3)
    }

    @Test func `Two subscriptions to equal tracked requests share one exchange and both finish`()
        async
    {
        let transport = HeldTransport()
        let provider = MoyaProvider<Service>(
            callbackQueue: .global(), transport: transport, trackInflights: true)
        let logs = [EventLog<ProgressResponse>(), EventLog<ProgressResponse>()]
        for log in logs { log.subscribe(to: .progress(of: .user, from: provider)).request(nil) }
        transport.open()
        for log in logs {
            await log.waitForEnd()
            #expect(log.values.last?.completed == true)
        }
        #expect(transport.sent.count == 1)
    }
}

extension EventLog {
    fileprivate func subscribe(to source: RequestSource<Value>) -> RequestSubscription<Value> {
        RequestSubscription(source) { event in
            switch event {
            case .value(let value): self.value(value)
            case .finished: self.finished()
            case .failed(let error): self.failed(error)
            }
            return 0
        }
    }
}

extension RequestSource<Response> {
    fileprivate static func response(to target: Service, from provider: MoyaProvider<Service>)
        -> Self
    {
        .response(to: target, from: provider, callbackQueue: nil)
    }
}

extension RequestSource<ProgressResponse> {
    fileprivate static func progress(
        of target: Service, from provider: MoyaProvider<Service>
    ) -> Self {
        .progress(of: target, from: provider, callbackQueue: nil)
    }
}

/// A plugin that replaces every response.
private struct Shouting: PluginType {
    func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError> {
        result.map { _ in Response("HEY") }
    }
}

/// Detects concurrent calls. Has no lock, because the subscription must serialize the calls.
private final class Busy: @unchecked Sendable {
    // Safe: the subscription delivers one event at a time. If that is broken, ThreadSanitizer
    // reports a race.
    private var isBusy = false

    func enter() -> Bool {
        defer { isBusy = true }
        return !isBusy
    }

    func leave() { isBusy = false }
}

/// A provider whose tokens cancel a subscription in their deinit.
private final class Ended: MoyaProvider<Service>, @unchecked Sendable {
    // Safe: `Held` is the only added state.
    let subscription = Held<RequestSubscription<Response>>()

    override func request(
        _ target: Service, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable {
        let token = super.request(
            target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        return EndingToken(token) { [subscription] in subscription.value?.cancel() }
    }
}

private final class EndingToken: Cancellable {
    private let token: any Cancellable
    private let end: @Sendable () -> Void

    init(_ token: any Cancellable, end: @escaping @Sendable () -> Void) {
        (self.token, self.end) = (token, end)
    }

    deinit { end() }

    var isCancelled: Bool { token.isCancelled }
    func cancel() { token.cancel() }
}

/// Runs a closure in its deinit.
private final class Ending {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    deinit { action() }
}

/// A reference to a value that is created after the closure that uses it.
private final class Held<Value>: @unchecked Sendable {
    // Safe: these tests write the value before the request is sent, and read it afterwards.
    var value: Value?
}
