#if canImport(Combine) || OpenCombine
    import Foundation
    import MoyaCombine
    import MoyaCore
    import MoyaReactiveTestSupport
    import MoyaTesting
    import Testing

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    @Suite(.timeLimit(.minutes(3))) struct DemandTests {
        @Test func `A Combine publisher sends its request on the first demand, and only once`()
            async
        {
            let transport = HeldTransport()
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: transport, plugins: [traffic])
            let subscriber = DemandingSubscriber<Response>()
            provider.requestPublisher(.user).subscribe(subscriber)
            #expect(traffic.requestCount == 0)
            subscriber.request(.max(1))
            subscriber.request(.max(1))
            subscriber.request(.unlimited)
            transport.open()
            await subscriber.log.waitForEnd()
            #expect(traffic.requestCount == 1)
            #expect(subscriber.log.values.count == 1)
            #expect(subscriber.log.ends == ["finished"])
        }

        @Test
        func
            `A Combine subscriber with limited demand receives the newest and the last progress`()
            async
        {
            let transport = HeldTransport()
            let queue = DispatchQueue(label: "events")
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: queue, transport: transport, plugins: [traffic])
            let subscriber = DemandingSubscriber<ProgressResponse>()
            provider.requestWithProgressPublisher(.user).subscribe(subscriber)
            subscriber.request(.max(1))
            await transport.waitForSends()
            for count in 1...3 { transport.report(Int64(count), of: 8) }
            queue.sync {}
            #expect(subscriber.log.values.map(\.progress) == [0.125])
            subscriber.request(.max(1))
            #expect(subscriber.log.values.map(\.progress) == [0.125, 0.375])

            for count in 4...7 { transport.report(Int64(count), of: 8) }
            transport.open()
            await traffic.waitForResult(on: queue)
            #expect(subscriber.log.values.count == 2)
            #expect(subscriber.log.ends.isEmpty)
            subscriber.request(.max(1))
            #expect(subscriber.log.values.map(\.completed) == [false, false, true])
            #expect(subscriber.log.ends == ["finished"])
        }

        @Test func `The demand that a Combine subscriber returns for a value adds to its demand`()
            async
        {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(
                callbackQueue: DispatchQueue(label: "serial"), transport: transport)
            let subscriber = DemandingSubscriber<ProgressResponse>(more: .max(1))
            provider.requestWithProgressPublisher(.user).subscribe(subscriber)
            subscriber.request(.max(1))
            await transport.waitForSends()
            for count in 1...4 { transport.report(Int64(count), of: 4) }
            transport.open()
            await subscriber.log.waitForEnd()
            #expect(subscriber.log.values.map(\.progress) == [0.25, 0.5, 0.75, 1, 1])
        }

        @Test func `A Combine publisher delivers a failure without demand`() async {
            let transport = StubTransport { request in
                request.progress?(TransferProgress(bytesReceived: 1, bytesToReceive: 4))
                request.progress?(TransferProgress(bytesReceived: 2, bytesToReceive: 4))
                throw URLError(.networkConnectionLost)
            }
            let provider = MoyaProvider<Service>(
                callbackQueue: DispatchQueue(label: "serial"), transport: transport)
            let subscriber = DemandingSubscriber<ProgressResponse>()
            provider.requestWithProgressPublisher(.user).subscribe(subscriber)
            subscriber.request(.max(1))
            await subscriber.log.waitForEnd()
            #expect(subscriber.log.values.map(\.progress) == [0.25])
            #expect(subscriber.log.ends == ["NSURLErrorDomain -1005"])
        }

        @Test
        func `A Combine subscriber can request more values and cancel while it receives a value`()
            async
        {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(
                callbackQueue: DispatchQueue(label: "serial"), transport: transport)
            let subscriber = DemandingSubscriber<ProgressResponse>(cancelsAfter: 2)
            provider.requestWithProgressPublisher(.user).subscribe(subscriber)
            subscriber.request(.max(1))
            await transport.waitForSends()
            transport.report(1, of: 4)
            transport.report(2, of: 4)
            transport.report(3, of: 4)
            await transport.waitForCancels()
            #expect(subscriber.log.values.map(\.progress) == [0.25, 0.5])
            #expect(subscriber.log.ends.isEmpty)
        }

        @Test func `Releasing the AnyCancellable of a Combine subscription cancels the request`()
            async
        {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
            var subscription: AnyCancellable? = provider.requestPublisher(.user)
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            await transport.waitForSends()
            #expect(subscription != nil)
            subscription = nil
            await transport.waitForCancels()
        }
    }

    /// A subscriber whose demand the test controls.
    private final class DemandingSubscriber<Input: Sendable>: Subscriber {
        typealias Failure = MoyaError

        let log = EventLog<Input>()
        private let more: Subscribers.Demand
        private let cancelsAfter: Int?
        /// Set while subscribing, before any other call.
        private var subscription: (any Subscription)?

        init(more: Subscribers.Demand = .none, cancelsAfter: Int? = nil) {
            self.more = more
            self.cancelsAfter = cancelsAfter
        }

        func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: Input) -> Subscribers.Demand {
            log.value(input)
            guard let cancelsAfter else { return more }
            if log.values.count == cancelsAfter {
                subscription?.cancel()
            } else {
                request(.max(1))
            }
            return .none
        }

        func receive(completion: Subscribers.Completion<MoyaError>) {
            switch completion {
            case .finished: log.finished()
            case .failure(let error): log.failed(error)
            }
        }
    }
#endif
