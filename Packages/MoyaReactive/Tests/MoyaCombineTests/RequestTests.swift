#if canImport(Combine) || OpenCombine
    import CombineMoya
    import Foundation
    import MoyaCore
    import MoyaReactiveTestSupport
    import MoyaTesting
    import MoyaTransportCurl
    import Testing

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    @Suite(.timeLimit(.minutes(10))) struct RequestTests {
        @Test func `a request gives its response and then ends`() async {
            let provider = StubbedProvider<Service>(callbackQueue: .global())
            let log = EventLog<Response>()
            let subscription = provider.requestPublisher(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.values.map { try? $0.map(User.self) } == [User("sample")])
            #expect(log.ends == ["finished"])
            subscription.cancel()
        }

        @Test func `nothing is sent before somebody subscribes, and once for each who does`() async
        {
            let transport = StubTransport(.response())
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: transport, plugins: [traffic])
            let response = provider.requestPublisher(.user)
            let progress = provider.requestWithProgressPublisher(.user)
            #expect(traffic.departures == 0)
            let logs = [EventLog<Response>(), EventLog<Response>()]
            let subscriptions = logs.map { response.subscribe($0) }
            for log in logs { await log.waitForEnd() }
            #expect(transport.requests.count == 2)
            let log = EventLog<ProgressResponse>()
            let last = progress.subscribe(log)
            await log.waitForEnd()
            #expect(transport.requests.count == 3)
            for subscription in subscriptions + [last] { subscription.cancel() }
        }

        @Test(arguments: [
            (Stub.failure(.timedOut), "NSURLErrorDomain -1001"),
            (Stub.response(503), "underlying statusCode 503"),
        ])
        func `a failure is the end, as the MoyaError it is`(stub: Stub, kind: String) async {
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: StubTransport(stub))
            let log = EventLog<Response>()
            let subscription = provider.requestPublisher(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.values.isEmpty)
            #expect(log.ends == [kind])
            subscription.cancel()
        }

        @Test func `disposing cancels the exchange, and nothing more is heard`() async {
            let transport = HeldTransport()
            let queue = DispatchQueue(label: "events")
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: queue, transport: transport, plugins: [traffic])
            let log = EventLog<Response>()
            let subscription = provider.requestPublisher(.user).subscribe(log)
            await transport.waitForSends()
            subscription.cancel()
            subscription.cancel()
            await transport.waitForCancels()
            await traffic.waitForLanding(on: queue)
            #expect(log.values.isEmpty)
            #expect(log.ends == [])
        }

        @Test func `disposing of one subscription leaves the others alone`() async {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
            let response = provider.requestPublisher(.user)
            let log = EventLog<Response>()
            let other = response.subscribe(EventLog())
            let subscription = response.subscribe(log)
            await transport.waitForSends(2)
            other.cancel()
            await transport.waitForCancels()
            transport.open()
            await log.waitForEnd()
            #expect(log.ends == ["finished"])
            subscription.cancel()
        }

        @Test func `disposing after the end changes nothing`() async {
            let provider = StubbedProvider<Service>(callbackQueue: .global())
            let log = EventLog<Response>()
            let subscription = provider.requestPublisher(.user).subscribe(log)
            await log.waitForEnd()
            subscription.cancel()
            #expect(log.values.count == 1)
            #expect(log.ends == ["finished"])
        }

        @Test func `a stream does not keep its provider, and ends with -999 without it`()
            async throws
        {
            var provider: MoyaProvider<Service>? = MoyaProvider(transport: HeldTransport())
            weak let released = provider
            let mark = QueueMark()
            let response = try #require(provider?.requestPublisher(.user))
            let onQueue = try #require(
                provider?.requestPublisher(.user, callbackQueue: mark.queue))
            provider = nil
            #expect(released == nil)

            let log = EventLog<Response>()
            let subscription = response.subscribe(log)
            #expect(log.ends == [MoyaError.cancelledKind])
            let marked = EventLog<Response>(mark: mark)
            let other = onQueue.subscribe(marked)
            await marked.waitForEnd()
            #expect(marked.ends == [MoyaError.cancelledKind])
            #expect(marked.wereOnQueue == [true])
            subscription.cancel()
            other.cancel()
        }

        @Test func `a provider that is released during a request ends it with -999`() async {
            let transport = HeldTransport()
            var provider: MoyaProvider<Service>? = MoyaProvider(
                callbackQueue: .global(), transport: transport)
            let log = EventLog<Response>()
            let subscription = provider?.requestPublisher(.user).subscribe(log)
            await transport.waitForSends()
            provider = nil
            await log.waitForEnd()
            await transport.waitForCancels()
            #expect(log.values.isEmpty)
            #expect(log.ends == [MoyaError.cancelledKind])
            subscription?.cancel()
        }

        @Test func `events arrive on the queue that is named`() async {
            let mark = QueueMark()
            let provider = StubbedProvider<Service>(callbackQueue: .global())
            let log = EventLog<Response>(mark: mark)
            let subscription = provider.requestPublisher(.user, callbackQueue: mark.queue)
                .subscribe(log)
            await log.waitForEnd()
            #expect(log.wereOnQueue == [true, true])
            subscription.cancel()
        }

        @Test(arguments: [DispatchQueue?.none, DispatchQueue(label: "provider")])
        func `events arrive on the provider's queue, or else on the main queue`(
            queue: DispatchQueue?
        ) async {
            let mark = QueueMark(queue ?? .main)
            let provider = StubbedProvider<Service>(callbackQueue: queue)
            let log = EventLog<Response>(mark: mark)
            let subscription = provider.requestPublisher(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.wereOnQueue == [true, true])
            subscription.cancel()
        }

        @Test func `an immediate stub answers before subscribing is over`() {
            let provider = MoyaProvider<Service>(
                stubClosure: MoyaProvider.immediatelyStub, transport: HeldTransport())
            #expect(
                provider.requestPublisher(.user).map(User.self).outcome == .value(User("sample")))
        }

        @Test func `whatever races, there is one end at most`() async {
            for _ in 0..<100 {
                let transport = HeldTransport()
                let queue = DispatchQueue(label: "events")
                let traffic = Traffic()
                let provider = MoyaProvider<Service>(
                    callbackQueue: queue, transport: transport, plugins: [traffic])
                let log = EventLog<Response>()
                let subscription = provider.requestPublisher(.user).subscribe(log)
                async let opened: Void = transport.open()
                subscription.cancel()
                await opened
                await traffic.waitForLanding(on: queue)
                #expect(log.ends.count <= 1)
                // It may be cancelled between the value and the end.
                #expect(log.values.count <= 1)
                #expect(log.values.count >= log.ends.filter { $0 == "finished" }.count)
            }
        }

        @Test func `a server's answer goes through the operators`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: CurlTransport())
            let log = EventLog<String>()
            let subscription = provider.requestPublisher(.at(server.url, "/json"))
                .filterSuccessfulStatusCodes().mapString(atKeyPath: "title").subscribe(log)
            await log.waitForEnd()
            #expect(log.values == ["Sample"])
            #expect(log.ends == ["finished"])
            subscription.cancel()
        }

        @Test func `disposing hangs up on the server`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: CurlTransport())
            let log = EventLog<Response>()
            let subscription = provider.requestPublisher(.at(server.url, "/stall")).subscribe(log)
            _ = try await server.waitForRequests(1)
            subscription.cancel()
            try await server.waitUntilDisconnected()
            #expect(log.ends == [])
        }
    }
#endif
