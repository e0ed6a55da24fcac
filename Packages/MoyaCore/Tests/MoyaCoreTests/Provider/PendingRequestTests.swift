import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaCore

@Suite struct PendingRequestTests {
    private let results = Recorder<Int?>()

    /// Returns a request that completes on the thread of its result.
    private func pending(in registry: PendingRequest.Registry? = nil) -> PendingRequest {
        PendingRequest(on: nil, in: registry) { [results] result, _ in
            results.record(result.urlErrorCode)
        }
    }

    private let success = Result<Response, MoyaError>.success(Response(""))

    @Test func `a pending request starts once`() {
        let pending = pending()
        #expect(pending.start())
        #expect(!pending.start())
    }

    @Test func `a request cancelled before its start completes and does not start`() {
        let pending = pending()
        pending.cancel()
        #expect(results.items == [NSURLErrorCancelled])
        #expect(!pending.start())
    }

    @Test func `a request cancelled while starting is cancelled as soon as it is sent`() {
        let pending = pending()
        let cancels = Recorder<Void>()
        #expect(pending.start())
        pending.cancel()
        #expect(results.items.isEmpty)
        pending.sent { cancels.record(()) }
        #expect(cancels.count == 1)
    }

    @Test func `a request that is sent is cancelled once`() {
        let pending = pending()
        let cancels = Recorder<Void>()
        #expect(pending.start())
        pending.sent { cancels.record(()) }
        pending.cancel()
        pending.cancel()
        #expect(cancels.count == 1)
        #expect(pending.isCancelled)
    }

    @Test func `a cancel while a response is being delivered has no effect on the result`() {
        let pending = pending()
        #expect(pending.start())
        pending.sent { pending.complete(.failure(.cancelled)) }
        #expect(pending.beginDelivery())
        pending.cancel()
        pending.complete(success)
        #expect(results.items == [nil])
    }

    @Test func `the delivery of a response does not begin after a cancel`() {
        let sent = pending()
        #expect(sent.start())
        sent.sent { sent.complete(.failure(.cancelled)) }
        sent.cancel()
        #expect(!sent.beginDelivery())
        let starting = pending()
        #expect(starting.start())
        starting.cancel()
        #expect(!starting.beginDelivery())
        // The request is cancelled as soon as it is sent.
        starting.sent { starting.complete(.failure(.cancelled)) }
        #expect(results.items == [NSURLErrorCancelled, NSURLErrorCancelled])
    }

    @Test func `a response that arrives before a cancelled request is sent is discarded`() {
        let pending = pending()
        #expect(pending.start())
        pending.cancel()
        pending.complete(success)
        pending.sent { Issue.record("The request was cancelled after its end.") }
        #expect(results.items == [NSURLErrorCancelled])
    }

    @Test func `a response that arrives while a cancel takes effect is discarded`() {
        let pending = pending()
        #expect(pending.start())
        pending.cancel()
        // The response of an equal request arrives first.
        pending.sent { pending.complete(success) }
        #expect(results.items == [NSURLErrorCancelled])
    }

    @Test func `a pending request keeps its first result, and a later cancel has no effect`() {
        let pending = pending()
        #expect(pending.start())
        pending.complete(success)
        pending.complete(.failure(.cancelled))
        pending.cancel()
        pending.sent { Issue.record("The request was cancelled after its end.") }
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
