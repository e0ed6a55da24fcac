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

    @Test func `waitUntilStable throws when its time is over`() async {
        let task = Task { try await waitUntilStable(within: 0) { 0 } }
        await #expect(throws: NeverMet.self) { try await task.value }
    }

    @Test func `until ends when its task is cancelled`() async {
        let task = Task { try await until { false } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
