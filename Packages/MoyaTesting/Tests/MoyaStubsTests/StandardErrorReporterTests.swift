import MoyaStubs
import Testing

@Suite struct StandardErrorReporterTests {
    @Test func `without a test framework issues are written to the standard error stream`()
        async throws
    {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            IssueReporter.standardError.report("No stub matches.", at: .init())
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains(": No stub matches.\n"))
    }
}
