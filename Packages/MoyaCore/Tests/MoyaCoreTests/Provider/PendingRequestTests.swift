import Foundation
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaCore

@Suite struct PendingRequestTests {
    private let results = Recorder<Int?>()

    /// Returns a request that completes on the thread of its result.
    private func pending(
        in registry: PendingRequest.Registry = PendingRequest.Registry([:])
    ) -> PendingRequest {
        PendingRequest(on: nil, in: registry) { [results] in
            results.record($0.result.urlErrorCode)
        }
    }

    private let success = Outcome(.success(Response("")))

    @Test func `a pending request takes each step once`() {
        let pending = pending()
        for step in [Pipeline.Step.prepare, .send, .deliver] {
            #expect(pending.claim(step))
            #expect(!pending.claim(step))
        }
    }

    @Test func `a request cancelled before it is made completes and is not prepared`() {
        let pending = pending()
        pending.cancel()
        #expect(results.items == [NSURLErrorCancelled])
        #expect(!pending.claim(.prepare))
    }

    @Test func `a request cancelled while it is being prepared is not sent`() {
        let pending = pending()
        #expect(pending.claim(.prepare))
        pending.cancel()
        #expect(results.items.isEmpty)
        #expect(!pending.claim(.send))
    }

    @Test func `a request that is sent completes at its cancel, once`() {
        let pending = pending()
        #expect(pending.claim(.prepare) && pending.claim(.send))
        pending.cancel()
        pending.cancel()
        #expect(pending.isCancelled)
        #expect(!pending.claim(.deliver))
        pending.complete(success)
        #expect(results.items == [NSURLErrorCancelled])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a request that waits for an equal request completes when its task notices the cancel`()
        async throws
    {
        let pending = pending()
        let promise = Promise<Void>()
        pending.run {
            _ = pending.claim(.prepare)
            await promise.value { promise.fulfill(()) }
            pending.complete(.cancelled(needsDidReceive: false))
        }
        pending.cancel()
        try await until { results.items == [NSURLErrorCancelled] }
    }

    @Test func `a response in memory that is delivered after a cancel is discarded`() {
        let pending = pending()
        #expect(pending.claim(.prepare) && pending.claim(.send) && pending.claim(.deliver))
        pending.cancel()
        pending.complete(success)
        #expect(results.items == [NSURLErrorCancelled])
    }

    @Test func `a cancel after the completion was enqueued, before it runs, takes effect`() {
        let queue = DispatchQueue(label: "suspended")
        let pending = PendingRequest(on: queue, in: PendingRequest.Registry([:])) { [results] in
            results.record($0.result.urlErrorCode)
        }
        queue.suspend()
        pending.complete(success)
        pending.cancel()
        queue.resume()
        queue.sync {}
        #expect(results.items == [NSURLErrorCancelled])
    }

    @Test func `a pending request keeps its first result, and a later cancel has no effect`() {
        let pending = pending()
        pending.complete(success)
        pending.complete(.cancelled())
        pending.cancel()
        #expect(results.items == [nil])
    }

    @Test func `a registry holds a pending request until its completion has run`() {
        let registry = PendingRequest.Registry([:])
        let pending = pending(in: registry)
        let endpoint = Endpoint.test()
        registry.withLock { $0[ObjectIdentifier(pending)] = (pending, endpoint) }
        pending.complete(success)
        #expect(registry.withLock(\.count) == 0)
        #expect(results.count == 1)
    }
}
