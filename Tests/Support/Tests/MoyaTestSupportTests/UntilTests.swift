import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UntilTests {
    @Test func `looks again until it is so`() async throws {
        var looks = 0
        try await until {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    @Test func `says where what never comes was waited for`() async {
        let line = #line + 1
        let task = Task { try await until(within: 0) { false } }
        let error = await #expect(throws: NeverMet.self) { try await task.value }
        #expect(error?.description == "UntilTests.swift:\(line): not so after 0.0 s")
    }

    @Test func `ends with its test`() async {
        let task = Task { try await until { false } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
