#if ReactiveSwift
    import Foundation
    import MoyaCore
    import MoyaReactiveTestSupport
    import MoyaTesting
    import MoyaTransportCurl
    import ReactiveMoya
    import ReactiveSwift
    import Testing

    @Suite(.timeLimit(.minutes(10))) struct RequestTests {
        @Test func `a request gives its response and then ends`() async {
            let provider = StubbedProvider<Service>(callbackQueue: .global())
            let log = EventLog<Response>()
            let subscription = provider.reactive.request(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.values.map { try? $0.map(User.self) } == [User("sample")])
            #expect(log.ends == ["finished"])
            subscription.dispose()
        }

        @Test func `nothing is sent before somebody subscribes, and once for each who does`() async
        {
            let transport = StubTransport(.response())
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: transport, plugins: [traffic])
            let response = provider.reactive.request(.user)
            let progress = provider.reactive.requestWithProgress(.user)
            #expect(traffic.departures == 0)
            let logs = [EventLog<Response>(), EventLog<Response>()]
            let subscriptions = logs.map { response.subscribe($0) }
            for log in logs { await log.waitForEnd() }
            #expect(transport.requests.count == 2)
            let log = EventLog<ProgressResponse>()
            let last = progress.subscribe(log)
            await log.waitForEnd()
            #expect(transport.requests.count == 3)
            for subscription in subscriptions + [last] { subscription.dispose() }
        }

        @Test(arguments: [
            (Stub.failure(.timedOut), "NSURLErrorDomain -1001"),
            (Stub.response(503), "underlying statusCode 503"),
        ])
        func `a failure is the end, as the MoyaError it is`(stub: Stub, kind: String) async {
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: StubTransport(stub))
            let log = EventLog<Response>()
            let subscription = provider.reactive.request(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.values.isEmpty)
            #expect(log.ends == [kind])
            subscription.dispose()
        }

        @Test func `disposing cancels the exchange, and nothing more is heard`() async {
            let transport = HeldTransport()
            let queue = DispatchQueue(label: "events")
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: queue, transport: transport, plugins: [traffic])
            let log = EventLog<Response>()
            let subscription = provider.reactive.request(.user).subscribe(log)
            await transport.waitForSends()
            subscription.dispose()
            subscription.dispose()
            await transport.waitForCancels()
            await traffic.waitForLanding(on: queue)
            #expect(log.values.isEmpty)
            #expect(log.ends == ["interrupted"])
        }

        @Test func `disposing of one subscription leaves the others alone`() async {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
            let response = provider.reactive.request(.user)
            let log = EventLog<Response>()
            let other = response.subscribe(EventLog())
            let subscription = response.subscribe(log)
            await transport.waitForSends(2)
            other.dispose()
            await transport.waitForCancels()
            transport.open()
            await log.waitForEnd()
            #expect(log.ends == ["finished"])
            subscription.dispose()
        }

        @Test func `disposing after the end changes nothing`() async {
            let provider = StubbedProvider<Service>(callbackQueue: .global())
            let log = EventLog<Response>()
            let subscription = provider.reactive.request(.user).subscribe(log)
            await log.waitForEnd()
            subscription.dispose()
            #expect(log.values.count == 1)
            #expect(log.ends == ["finished"])
        }

        @Test func `a stream does not keep its provider, and ends with -999 without it`()
            async throws
        {
            var provider: MoyaProvider<Service>? = MoyaProvider(transport: HeldTransport())
            weak let released = provider
            let mark = QueueMark()
            let response = try #require(provider?.reactive.request(.user))
            let onQueue = try #require(
                provider?.reactive.request(.user, callbackQueue: mark.queue))
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
            subscription.dispose()
            other.dispose()
        }

        @Test func `a provider that is released during a request ends it with -999`() async {
            let transport = HeldTransport()
            var provider: MoyaProvider<Service>? = MoyaProvider(
                callbackQueue: .global(), transport: transport)
            let log = EventLog<Response>()
            let subscription = provider?.reactive.request(.user).subscribe(log)
            await transport.waitForSends()
            provider = nil
            await log.waitForEnd()
            await transport.waitForCancels()
            #expect(log.values.isEmpty)
            #expect(log.ends == [MoyaError.cancelledKind])
            subscription?.dispose()
        }

        @Test func `events arrive on the queue that is named`() async {
            let mark = QueueMark()
            let provider = StubbedProvider<Service>(callbackQueue: .global())
            let log = EventLog<Response>(mark: mark)
            let subscription = provider.reactive.request(.user, callbackQueue: mark.queue)
                .subscribe(log)
            await log.waitForEnd()
            #expect(log.wereOnQueue == [true, true])
            subscription.dispose()
        }

        @Test(arguments: [DispatchQueue?.none, DispatchQueue(label: "provider")])
        func `events arrive on the provider's queue, or else on the main queue`(
            queue: DispatchQueue?
        ) async {
            let mark = QueueMark(queue ?? .main)
            let provider = StubbedProvider<Service>(callbackQueue: queue)
            let log = EventLog<Response>(mark: mark)
            let subscription = provider.reactive.request(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.wereOnQueue == [true, true])
            subscription.dispose()
        }

        @Test func `an immediate stub answers before subscribing is over`() {
            let provider = MoyaProvider<Service>(
                stubClosure: MoyaProvider.immediatelyStub, transport: HeldTransport())
            #expect(
                provider.reactive.request(.user).map(User.self).outcome == .value(User("sample")))
        }

        @Test func `whatever races, there is one end at most`() async {
            for _ in 0..<100 {
                let transport = HeldTransport()
                let queue = DispatchQueue(label: "events")
                let traffic = Traffic()
                let provider = MoyaProvider<Service>(
                    callbackQueue: queue, transport: transport, plugins: [traffic])
                let log = EventLog<Response>()
                let subscription = provider.reactive.request(.user).subscribe(log)
                async let opened: Void = transport.open()
                subscription.dispose()
                await opened
                await traffic.waitForLanding(on: queue)
                #expect(log.ends.count <= 1)
                // It may be disposed of between the value and the end.
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
            let subscription = provider.reactive.request(.at(server.url, "/json"))
                .filterSuccessfulStatusCodes().mapString(atKeyPath: "title").subscribe(log)
            await log.waitForEnd()
            #expect(log.values == ["Sample"])
            #expect(log.ends == ["finished"])
            subscription.dispose()
        }

        @Test func `disposing hangs up on the server`() async throws {
            let server = try MockServer()
            defer { server.stop() }
            let provider = MoyaProvider<Service>(
                callbackQueue: .global(), transport: CurlTransport())
            let log = EventLog<Response>()
            let subscription = provider.reactive.request(.at(server.url, "/stall")).subscribe(log)
            _ = try await server.waitForRequests(1)
            subscription.dispose()
            try await server.waitUntilDisconnected()
            #expect(log.ends == ["interrupted"])
        }
    }
#endif
