#if RxSwift
    import Foundation
    import MoyaCore
    import MoyaReactiveTestSupport
    import MoyaRxSwift
    import MoyaTesting
    import MoyaTransportCurl
    import RxSwift
    import Testing

    @Suite(.timeLimit(.minutes(10))) struct ProgressTests {
        @Test func `progress comes as it is made, and the response at last`() async {
            let transport = HeldTransport()
            let mark = QueueMark()
            let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
            let log = EventLog<ProgressResponse>(mark: mark)
            let subscription = provider.rx.requestWithProgress(.user, callbackQueue: mark.queue)
                .subscribe(log)
            await transport.waitForSends()
            transport.report(1, of: 4)
            transport.report(3, of: 4)
            transport.open()
            await log.waitForEnd()
            #expect(log.values.map(\.progress) == [0.25, 0.75, 1])
            #expect(log.values.map(\.completed) == [false, false, true])
            #expect(log.values.last?.progressObject?.completedUnitCount == 3)
            #expect(log.ends == ["finished"])
            #expect(log.wereOnQueue == [true, true, true, true])
            subscription.dispose()
        }

        @Test func `the response and the parts that are done can be had by themselves`() async {
            let transport = HeldTransport()
            let mark = QueueMark()
            let provider = MoyaProvider<Service>(callbackQueue: mark.queue, transport: transport)
            let progress = provider.rx.requestWithProgress(.user)
            let (parts, names) = (EventLog<Double>(), EventLog<String>())
            let first = progress.filterProgress().subscribe(parts)
            await transport.waitForSends()
            transport.report(1, of: 2)
            await parts.waitForValues(1)
            let second = progress.filterCompleted().mapString(atKeyPath: "name").subscribe(names)
            transport.open()
            await parts.waitForEnd()
            await names.waitForEnd()
            #expect(parts.values == [0.5])
            #expect(names.values == ["real"])
            #expect(parts.ends + names.ends == ["finished", "finished"])
            first.dispose()
            second.dispose()
        }

        @Test func `a stub has no progress but its response`() async {
            let provider = MoyaProvider<Service>(
                stubClosure: MoyaProvider.delayedStub(0), callbackQueue: .global(),
                transport: HeldTransport())
            let log = EventLog<ProgressResponse>()
            let subscription = provider.rx.requestWithProgress(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.values.map(\.completed) == [true])
            #expect(log.ends == ["finished"])
            subscription.dispose()
        }

        @Test func `a failure is the end, without a response`() async {
            let provider = MoyaProvider<Service>(
                callbackQueue: DispatchQueue(label: "serial"),
                transport: StubTransport(.failure(.networkConnectionLost)))
            let log = EventLog<ProgressResponse>()
            let subscription = provider.rx.requestWithProgress(.user).subscribe(log)
            await log.waitForEnd()
            #expect(log.values.filter(\.completed).isEmpty)
            #expect(log.ends == ["NSURLErrorDomain -1005"])
            subscription.dispose()
        }

        @Test func `disposing in the midst of it cancels, and nothing more is heard`() async {
            let transport = HeldTransport()
            let queue = DispatchQueue(label: "events")
            let traffic = Traffic()
            let provider = MoyaProvider<Service>(
                callbackQueue: queue, transport: transport, plugins: [traffic])
            let log = EventLog<ProgressResponse>()
            let subscription = provider.rx.requestWithProgress(.user).subscribe(log)
            await transport.waitForSends()
            transport.report(1, of: 4)
            await log.waitForValues(1)
            subscription.dispose()
            transport.report(2, of: 4)
            await traffic.waitForLanding(on: queue)
            #expect(log.values.count == 1)
            #expect(log.ends == [])
        }

        @Test func `one value and no more cancels the rest`() async {
            let transport = HeldTransport()
            let provider = MoyaProvider<Service>(
                callbackQueue: DispatchQueue(label: "serial"), transport: transport)
            let log = EventLog<ProgressResponse>()
            let subscription = provider.rx.requestWithProgress(.user).take(1).subscribe(log)
            await transport.waitForSends()
            transport.report(1, of: 4)
            await log.waitForEnd()
            await transport.waitForCancels()
            #expect(log.values.count == 1)
            #expect(log.ends == ["finished"])
            subscription.dispose()
        }

        @Test func `without its provider it ends with -999`() throws {
            var provider: MoyaProvider<Service>? = MoyaProvider(transport: HeldTransport())
            let progress = try #require(provider?.rx.requestWithProgress(.user))
            provider = nil
            let log = EventLog<ProgressResponse>()
            let subscription = progress.subscribe(log)
            #expect(log.ends == [MoyaError.cancelledKind])
            subscription.dispose()
        }

        @Test(arguments: [100_000, 1_000_000])
        func `a server's body is followed to its end`(count: Int) async throws {
            let server = try MockServer()
            defer { server.stop() }
            let provider = MoyaProvider<Service>(
                callbackQueue: DispatchQueue(label: "serial"), transport: CurlTransport())
            let log = EventLog<ProgressResponse>()
            let subscription = provider.rx.requestWithProgress(.at(server.url, "/bytes/\(count)"))
                .subscribe(log)
            await log.waitForEnd()
            let parts = log.values.map(\.progress)
            #expect(parts.count > 1)
            #expect(parts == parts.sorted())
            #expect(parts.last == 1)
            #expect(log.values.filter(\.completed).count == 1)
            #expect(log.values.last?.response?.data.count == count)
            #expect(log.ends == ["finished"])
            subscription.dispose()
        }
    }
#endif
