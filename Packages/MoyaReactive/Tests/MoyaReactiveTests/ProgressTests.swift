import Foundation
import MoyaCore
import MoyaReactiveTestSupport
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

@Suite(.timeLimit(.minutes(3))) struct ProgressTests {
    @Test(arguments: frameworks)
    func `A progress stream delivers each progress and then the response on the callback queue`(
        framework: any Framework
    ) async {
        let transport = HeldTransport()
        let mark = QueueMark()
        let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
        let log = EventLog<ProgressResponse>(mark: mark)
        let cancel = framework.progress(of: .user, from: provider, on: mark.queue)
            .events.subscribe(log)
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
        cancel()
    }

    @Test(arguments: frameworks)
    func `filterProgress delivers only the fractions, and filterCompleted only the response`(
        framework: any Framework
    ) async {
        let transport = HeldTransport()
        let mark = QueueMark()
        let provider = MoyaProvider<Service>(callbackQueue: mark.queue, transport: transport)
        let progress = framework.progress(of: .user, from: provider)
        let (parts, names) = (EventLog<Double>(), EventLog<String>())
        let cancelParts = progress.fractions.subscribe(parts)
        await transport.waitForSends()
        transport.report(1, of: 2)
        await parts.waitForValues(1)
        let completed: any ResponseStream = progress.filterCompleted()
        let cancelNames = completed.string(atKeyPath: "name").subscribe(names)
        transport.open()
        await parts.waitForEnd()
        await names.waitForEnd()
        #expect(parts.values == [0.5])
        #expect(names.values == ["real"])
        #expect(parts.ends + names.ends == ["finished", "finished"])
        cancelParts()
        cancelNames()
    }

    @Test(arguments: frameworks)
    func `The progress stream of a stub delivers the response alone`(
        framework: any Framework
    ) async {
        let provider = MoyaProvider<Service>(
            stubClosure: MoyaProvider.delayedStub(0), callbackQueue: .global(),
            transport: HeldTransport())
        let log = await framework.progress(of: .user, from: provider).events.log()
        #expect(log.values.map(\.completed) == [true])
        #expect(log.ends == ["finished"])
    }

    @Test(arguments: frameworks)
    func `A request that fails ends its progress stream with the error and without a response`(
        framework: any Framework
    ) async {
        let provider = MoyaProvider<Service>(
            callbackQueue: DispatchQueue(label: "serial"),
            transport: StubTransport(.failure(.networkConnectionLost)))
        let log = await framework.progress(of: .user, from: provider).events.log()
        #expect(log.values.filter(\.completed).isEmpty)
        #expect(log.ends == ["NSURLErrorDomain -1005"])
    }

    @Test(arguments: frameworks)
    func `Cancelling a progress subscription cancels the request and delivers no further progress`(
        framework: any Framework
    ) async {
        let request = HeldRequest { framework.progress(of: .user, from: $0).events }
        await request.transport.waitForSends()
        request.transport.report(1, of: 4)
        await request.log.waitForValues(1)
        request.cancel()
        request.transport.report(2, of: 4)
        await request.waitForLastEvent()
        #expect(request.log.values.count == 1)
        #expect(request.log.ends == framework.endsAfterCancel)
    }

    @Test(arguments: frameworks)
    func `Taking the first value of a progress stream cancels the request`(
        framework: any Framework
    ) async {
        let transport = HeldTransport()
        let provider = MoyaProvider<Service>(
            callbackQueue: DispatchQueue(label: "serial"), transport: transport)
        let log = EventLog<ProgressResponse>()
        let cancel = framework.progress(of: .user, from: provider).firstEvent.subscribe(log)
        await transport.waitForSends()
        transport.report(1, of: 4)
        await log.waitForEnd()
        await transport.waitForCancels()
        #expect(log.values.count == 1)
        #expect(log.ends == ["finished"])
        cancel()
    }

    @Test(arguments: frameworks)
    func `A progress stream fails as cancelled after its provider is released`(
        framework: any Framework
    ) throws {
        var provider: MoyaProvider<Service>? = MoyaProvider(transport: HeldTransport())
        let progress = try #require(provider.map { framework.progress(of: .user, from: $0) })
        provider = nil
        let log = EventLog<ProgressResponse>()
        let cancel = progress.events.subscribe(log)
        #expect(log.ends == [MoyaError.cancelledKind])
        cancel()
    }

    @Test(arguments: frameworks, [100_000, 1_000_000])
    func `The progress of a server's body grows to 1 and ends with the whole body`(
        framework: any Framework, count: Int
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let provider = MoyaProvider<Service>(
            callbackQueue: DispatchQueue(label: "serial"), transport: CurlTransport())
        let log = await framework.progress(of: .at(server.url, "/bytes/\(count)"), from: provider)
            .events.log()
        let parts = log.values.map(\.progress)
        #expect(parts.count > 1)
        #expect(parts == parts.sorted())
        #expect(parts.last == 1)
        #expect(log.values.filter(\.completed).count == 1)
        #expect(log.values.last?.response?.data.count == count)
        #expect(log.ends == ["finished"])
    }
}
