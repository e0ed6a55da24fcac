import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct ConcurrencyLimiterTests {
    @Test func `a concurrency limiter sends at most two requests of ten at a time`() async throws {
        let gate = GatedTransport()
        let transport = gate.limitingConcurrency(perHost: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await transport.send(.test()) } }
            for number in 2...10 {
                try await gate.waitForSends(number)
                #expect(gate.sendCount == number)
                gate.answer(number - 1)
            }
            gate.answer(10)
            try await group.waitForAll()
        }
    }

    @Test func `a concurrency limiter counts each host separately`() async throws {
        let gate = GatedTransport()
        let transport = gate.limitingConcurrency(perHost: 1)
        async let first = transport.send(.test("GET", "http://a.test/"))
        async let second = transport.send(.test("GET", "http://b.test/"))
        try await gate.waitForSends(2)
        gate.answer()
        _ = try await (first, second)
    }

    @Test func `a failed request frees its slot of the concurrency limiter`() async throws {
        let stub = StubTransport(.failure(.timedOut), .response(200))
        let transport = stub.limitingConcurrency(perHost: 1)
        #expect(await urlErrorCode { try await transport.send(.test()) } == .timedOut)
        #expect(try await transport.send(.test()).head.statusCode == 200)
    }

    @Test func `a request cancelled in the concurrency queue takes no slot`() async throws {
        let gate = GatedTransport()
        let limiter = ConcurrencyLimiter(perHost: 1, maximumWaiting: 1)
        let transport = gate.limitingConcurrency(with: limiter)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        for _ in 0..<3 {
            let waiting = Task { await urlErrorCode { try await transport.send(.test()) } }
            waiting.cancel()
            #expect(await waiting.value == .cancelled)
        }
        async let last = transport.send(.test())
        gate.answer()
        _ = try await first
        try await gate.waitForSends(2)
        gate.answer()
        _ = try await last
        #expect(gate.sendCount == 2)
    }

    @Test func `a full concurrency queue fails a request with ConcurrencyLimitError`() async throws
    {
        let gate = GatedTransport()
        let limiter = ConcurrencyLimiter(perHost: 1, maximumWaiting: 0)
        let transport = gate.limitingConcurrency(with: limiter)
        async let first = transport.send(.test())
        try await gate.waitForSends(1)
        let error = await thrown { try await transport.send(.test()) }
        #expect(
            error as? ConcurrencyLimitError
                == ConcurrencyLimitError(origin: "http://host.test:80", waitingCount: 0))
        gate.answer()
        _ = try await first
    }

    @Test func `cancelling every third request keeps the concurrency limit and loses no slot`()
        async throws
    {
        let running = Recorder<Int>()
        let stub = StubTransport { request in
            running.record(1)
            await Task.yield()
            running.record(-1)
            return try .test(request)
        }
        let transport = stub.limitingConcurrency(perHost: 3)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<300 {
                group.addTask {
                    let task = Task { try? await transport.send(.test()) }
                    if index % 3 == 0 { task.cancel() }
                    _ = await task.value
                }
            }
        }
        var count = 0
        for change in running.items {
            count += change
            #expect((0...3).contains(count))
        }
        _ = try await transport.send(.test())
    }
}
