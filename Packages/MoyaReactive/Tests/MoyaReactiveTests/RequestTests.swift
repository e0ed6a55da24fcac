import Foundation
import MoyaCore
import MoyaReactiveTestSupport
import MoyaMockServer
import MoyaTesting
import MoyaTransportCurl
import Testing

@Suite(.timeLimit(.minutes(3))) struct RequestTests {
    @Test(arguments: frameworks)
    func `A request stream delivers the response once and then finishes`(
        framework: any Framework
    ) async {
        let provider = StubbedProvider<Service>(callbackQueue: .global())
        let log = await framework.response(to: .user, from: provider).events.log()
        #expect(log.values.map { try? $0.map(User.self) } == [User("sample")])
        #expect(log.ends == ["finished"])
    }

    @Test(arguments: frameworks)
    func `A stream sends no request before a subscription, and one request per subscription`(
        framework: any Framework
    ) async {
        let transport = StubTransport(.response())
        let traffic = Traffic()
        let provider = MoyaProvider<Service>(
            callbackQueue: .global(), transport: transport, plugins: [traffic])
        let response = framework.response(to: .user, from: provider).events
        let progress = framework.progress(of: .user, from: provider).events
        #expect(traffic.requestCount == 0)
        let logs = [EventLog<Response>(), EventLog<Response>()]
        let cancels = logs.map(response.subscribe)
        for log in logs { await log.waitForEnd() }
        #expect(transport.requests.count == 2)
        _ = await progress.log()
        #expect(transport.requests.count == 3)
        for cancel in cancels { cancel() }
    }

    @Test(arguments: frameworks)
    func `A request has the deadline that is set where its stream is subscribed`(
        framework: any Framework
    ) async {
        let transport = StubTransport(.response())
        let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
        let response = framework.response(to: .user, from: provider).events
        let logs = [EventLog<Response>(), EventLog<Response>()]
        func subscribe() -> [() -> Void] {
            [response.subscribe(logs[0]), withDeadline(after: 600) { response.subscribe(logs[1]) }]
        }
        let cancels = subscribe()
        for log in logs { await log.waitForEnd() }
        #expect(transport.requests.count { $0.deadline != nil } == 1)
        for cancel in cancels { cancel() }
    }

    @Test(
        arguments: frameworks,
        [
            (Stub.failure(.timedOut), "NSURLErrorDomain -1001"),
            (Stub.response(503), "underlying statusCode 503"),
        ])
    func `A request that fails ends its stream with the MoyaError and without a value`(
        framework: any Framework, failure: (stub: Stub, kind: String)
    ) async {
        let provider = MoyaProvider<Service>(
            callbackQueue: .global(), transport: StubTransport(failure.stub))
        let log = await framework.response(to: .user, from: provider).events.log()
        #expect(log.values.isEmpty)
        #expect(log.ends == [failure.kind])
    }

    @Test(arguments: frameworks)
    func `Cancelling a subscription twice cancels its request and sends only a cancellation event`(
        framework: any Framework
    ) async {
        let request = HeldRequest { framework.response(to: .user, from: $0).events }
        await request.transport.waitForSends()
        request.cancel()
        request.cancel()
        await request.transport.waitForCancels()
        await request.waitForLastEvent()
        #expect(request.log.values.isEmpty)
        #expect(request.log.ends == framework.endsAfterCancel)
    }

    @Test(arguments: frameworks)
    func `Cancelling one subscription of a stream does not cancel another subscription`(
        framework: any Framework
    ) async {
        let transport = HeldTransport()
        let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: transport)
        let response = framework.response(to: .user, from: provider).events
        let log = EventLog<Response>()
        let cancelOther = response.subscribe(EventLog())
        let cancel = response.subscribe(log)
        await transport.waitForSends(2)
        cancelOther()
        await transport.waitForCancels()
        transport.open()
        await log.waitForEnd()
        #expect(log.ends == ["finished"])
        cancel()
    }

    @Test(arguments: frameworks)
    func `Cancelling a subscription after its stream has finished delivers no further event`(
        framework: any Framework
    ) async {
        let queue = DispatchQueue(label: "events")
        let provider = StubbedProvider<Service>(callbackQueue: queue)
        let log = EventLog<Response>()
        let cancel = framework.response(to: .user, from: provider).events.subscribe(log)
        await log.waitForEnd()
        cancel()
        queue.sync {}
        #expect(log.values.count == 1)
        #expect(log.ends == ["finished"])
    }

    @Test(arguments: frameworks)
    func `A request stream does not retain its provider, and fails as cancelled after its release`(
        framework: any Framework
    ) async throws {
        var provider: MoyaProvider<Service>? = MoyaProvider(transport: HeldTransport())
        weak let released = provider
        let mark = QueueMark()
        let response = try #require(provider.map { framework.response(to: .user, from: $0) })
        let onQueue = try #require(
            provider.map { framework.response(to: .user, from: $0, on: mark.queue) })
        provider = nil
        #expect(released == nil)

        #expect(response.events.status == .failed(MoyaError.cancelledKind))
        let marked = await onQueue.events.log(mark: mark)
        #expect(marked.values.isEmpty)
        #expect(marked.ends == [MoyaError.cancelledKind])
        #expect(marked.wereOnQueue == [true])
    }

    @Test(arguments: frameworks)
    func `Releasing a provider cancels its request and fails the request's stream as cancelled`(
        framework: any Framework
    ) async throws {
        let transport = HeldTransport()
        var provider: MoyaProvider<Service>? = MoyaProvider(
            callbackQueue: .global(), transport: transport)
        let log = EventLog<Response>()
        let response = try #require(provider.map { framework.response(to: .user, from: $0) })
        let cancel = response.events.subscribe(log)
        await transport.waitForSends()
        provider = nil
        await log.waitForEnd()
        await transport.waitForCancels()
        #expect(log.values.isEmpty)
        #expect(log.ends == [MoyaError.cancelledKind])
        cancel()
    }

    @Test(arguments: frameworks)
    func `Events of a request stream arrive on the callback queue of the request`(
        framework: any Framework
    ) async {
        let mark = QueueMark()
        let provider = StubbedProvider<Service>(callbackQueue: .global())
        let response = framework.response(to: .user, from: provider, on: mark.queue)
        #expect(await response.events.log(mark: mark).wereOnQueue == [true, true])
    }

    @Test(arguments: frameworks, [DispatchQueue?.none, DispatchQueue(label: "provider")])
    func `Without a callback queue of the request, events arrive on the provider's or main queue`(
        framework: any Framework, queue: DispatchQueue?
    ) async {
        let mark = QueueMark(queue ?? .main)
        let provider = StubbedProvider<Service>(callbackQueue: queue)
        let response = framework.response(to: .user, from: provider)
        #expect(await response.events.log(mark: mark).wereOnQueue == [true, true])
    }

    @Test(arguments: frameworks)
    func `An immediate stub delivers its response before subscribing returns`(
        framework: any Framework
    ) {
        let provider = MoyaProvider<Service>(
            stubClosure: MoyaProvider.immediatelyStub, transport: HeldTransport())
        let response = framework.response(to: .user, from: provider)
        #expect(response.object(User.self).outcome == .value(User("sample")))
    }

    @Test(arguments: frameworks)
    func `A cancel that races with the response leaves at most one value and one end`(
        framework: any Framework
    ) async {
        for _ in 0..<100 {
            let request = HeldRequest { framework.response(to: .user, from: $0).events }
            let (transport, log) = (request.transport, request.log)
            async let opened: Void = transport.open()
            request.cancel()
            await opened
            await request.waitForLastEvent()
            #expect(log.ends.count <= 1)
            // The subscription may be cancelled between the value and the end.
            #expect(log.values.count <= 1)
            #expect(log.values.count >= log.ends.filter { $0 == "finished" }.count)
        }
    }

    @Test(arguments: frameworks)
    func `Operators filter and map the response of a server`(
        framework: any Framework
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: CurlTransport())
        let response: any ResponseStream =
            framework.response(to: .at(server.url, "/json"), from: provider)
            .filterSuccessfulStatusCodes()
        let log = await response.string(atKeyPath: "title").log()
        #expect(log.values == ["Sample"])
        #expect(log.ends == ["finished"])
    }

    @Test(arguments: frameworks)
    func `Cancelling a subscription during a request closes the connection to the server`(
        framework: any Framework
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let provider = MoyaProvider<Service>(callbackQueue: .global(), transport: CurlTransport())
        let log = EventLog<Response>()
        let cancel = framework.response(to: .at(server.url, "/stall"), from: provider)
            .events.subscribe(log)
        _ = try await server.waitForRequests(1)
        cancel()
        try await server.waitUntilDisconnected()
        #expect(log.ends == framework.endsAfterCancel)
    }
}
