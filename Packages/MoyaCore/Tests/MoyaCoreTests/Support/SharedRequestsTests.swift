import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RequestKeyTests {
    @Test func `requests with different access to cellular networks do not share a response`() {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        func key() -> RequestKey<Int> { RequestKey(request, body: nil, limit: 1, context: 0) }
        let anywhere = key()
        #expect(key() == anywhere)
        request.allowsCellularAccess = false
        #expect(key() != anywhere)
    }
}

@Suite(.timeLimit(.minutes(1))) struct SharedRequestsTests {
    private typealias Requests = SharedRequests<String, Int>

    private let requests = Requests()
    private let results = Recorder<String>()

    private func receiver(_ name: String) -> Requests.Receiver {
        { [results] in results.record("\(name) \($0)") }
    }

    /// Enters an exchange with one waiter.
    private func enter(_ name: String = "first") throws -> Requests.Membership {
        try #require(requests.enter("key", receiver: receiver(name)))
    }

    private func join(_ name: String = "second") -> Requests.Membership? {
        requests.join("key", receiver: receiver(name))
    }

    @Test func `a request joins an exchange only after an equal request has been entered`() throws {
        #expect(join() == nil)
        _ = try enter()
        #expect(requests.join("other", receiver: receiver("other")) == nil)
        #expect(join() != nil)
    }

    @Test func `the second of two equal requests sent at the same time is not entered`()
        throws
    {
        _ = try enter()
        #expect(requests.enter("key", receiver: receiver("second")) == nil)
    }

    @Test func `all waiters of an exchange receive its result once, in the order they joined`()
        throws
    {
        let member = try enter()
        for name in ["second", "third"] { #expect(join(name) != nil) }
        requests.finish(member, 1)
        requests.finish(member, 2)
        #expect(results.items == ["first 1", "second 1", "third 1"])
    }

    @Test func `an exchange is cancelled once, when its last waiter has left`() throws {
        let cancels = Recorder<Void>()
        let first = try enter()
        let second = try #require(join())
        requests.didStart(first) { cancels.record(()) }
        for _ in 0..<2 { requests.leave(first) }
        #expect(cancels.count == 0)
        requests.leave(second)
        #expect(cancels.count == 1)
        requests.finish(first, 1)
        #expect(results.items.isEmpty)
    }

    @Test func `an exchange is cancelled on run if all its waiters have left before`() throws {
        let cancels = Recorder<Void>()
        let member = try enter()
        requests.leave(member)
        requests.didStart(member) { cancels.record(()) }
        #expect(cancels.count == 1)
    }

    @Test func `no request joins an exchange that has finished or that all waiters have left`()
        throws
    {
        let finished = try enter()
        requests.finish(finished, 1)
        #expect(join() == nil)
        #expect(requests.inFlight.map(\.key) == ["key"])
        let abandoned = try enter()
        requests.leave(abandoned)
        #expect(join() == nil)
        #expect(requests.inFlight.isEmpty)
    }

    @Test func `a finished exchange is in the table until its last waiter has left`() throws {
        let cancels = Recorder<Void>()
        let first = try enter()
        let second = try #require(join())
        requests.didStart(first) { cancels.record(()) }
        requests.finish(first, 1)
        requests.leave(first)
        #expect(requests.inFlight.map(\.receivers.count) == [1])
        requests.leave(second)
        #expect(requests.inFlight.isEmpty)
        #expect(cancels.count == 0)
    }

    @Test func `the end of an exchange does not affect the exchange that replaced it`() throws {
        let old = try enter()
        requests.finish(old, 1)
        let new = try enter("new")
        requests.leave(old)
        requests.finish(old, 2)
        #expect(requests.inFlight.map(\.receivers.count) == [1])
        requests.finish(new, 3)
        requests.leave(new)
        #expect(results.items == ["first 1", "new 3"])
        #expect(requests.inFlight.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the last waiter that is cancelled waits for the end of its cancelled exchange`()
        async throws
    {
        let (sending, noticed, ending) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
        let first = try #require(
            requests.start("key") {
                await sending.value { sending.fulfill(()) }
                noticed.fulfill(())
                await ending.value {}
                return Task.isCancelled ? -1 : 1
            })
        let second = try #require(requests.join("key"))
        let waits = [first, second].map { wait in Task { await wait.value(ifCancelled: 0) } }
        waits[1].cancel()
        #expect(await waits[1].value == 0)
        waits[0].cancel()
        await noticed.value {}
        #expect(requests.join("key") == nil)
        #expect(requests.enter("key", receiver: receiver("another")) == nil)
        ending.fulfill(())
        #expect(await waits[0].value == -1)
        first.leave()
        #expect(requests.inFlight.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an exchange is cancelled if its two waiters are cancelled at the same moment`()
        async throws
    {
        let ends = Recorder<Void>()
        let rounds = 4_000
        for round in 0..<rounds {
            let cancelled = Promise<Void>()
            let first = try #require(
                requests.start("\(round)") {
                    await cancelled.value { cancelled.fulfill(()) }
                    ends.record(())
                    return 1
                })
            let second = try #require(requests.join("\(round)"))
            let waits = [first, second].map { wait in Task { await wait.value(ifCancelled: 0) } }
            async let one: Void = waits[0].cancel()
            async let other: Void = waits[1].cancel()
            _ = await (one, other)
        }
        try await until { ends.count == rounds }
    }
}
