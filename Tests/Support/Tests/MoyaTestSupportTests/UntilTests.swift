import Dispatch
import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct UntilTests {
    @Test func `until repeats its condition until the condition is true`() async throws {
        var looks = 0
        try await until {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    @Test func `until reports the line of a condition that never becomes true`() async {
        let line = #line + 1
        let task = Task { try await until(within: 0) { false } }
        let error = await #expect(throws: NeverMet.self) { try await task.value }
        #expect(error?.description == "UntilTests.swift:\(line): condition not met within 0 s")
    }

    @Test func `waitUntilStable throws at its time limit`() async {
        let task = Task { try await waitUntilStable(within: 0) { 0 } }
        await #expect(throws: NeverMet.self) { try await task.value }
    }

    @Test func `onThread returns what its body returns, and throws what its body throws`()
        async throws
    {
        #expect(try await onThread { 7 } == 7)
        await #expect(throws: CancellationError.self) {
            try await onThread { throw CancellationError() }
        }
    }

    @Test func `onThread throws at its time limit, although its body has not returned`() async {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        await #expect(throws: NeverMet.self) { try await onThread(within: 0.01) { gate.wait() } }
    }

    @Test func `waitForEvent returns after the first event, and after the end of the events`()
        async throws
    {
        let (events, event) = AsyncStream<Int>.makeStream()
        event.yield(1)
        try await waitForEvent(in: events)
        event.finish()
        try await waitForEvent(in: events)
    }

    @Test func `waitForEvent throws at its time limit`() async {
        let (events, event) = AsyncStream<Int>.makeStream()
        await #expect(throws: NeverMet.self) { try await waitForEvent(in: events, within: 0.01) }
        event.finish()
    }

    @Test func `until ends when its task is cancelled`() async {
        let task = Task { try await until { false } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
