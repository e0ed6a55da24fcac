import MoyaMockServer
import MoyaTesting
import Testing

/// Names the seed of this process in each issue of a test that uses `SeededGenerator`.
public struct SeedTrait: TestTrait, SuiteTrait, TestScoping {
    public var isRecursive: Bool { true }

    /// Fails the test if the environment names a seed that cannot be read: its random numbers would not be those
    /// that the user wants repeated.
    public func prepare(for test: Test) async throws {
        _ = try SeededGenerator.namedSeed.get()
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let issues = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            let seed = "\(SeededGenerator.variable)=\(SeededGenerator.processSeed)"
            issue.comments.append("To use the same random numbers: \(seed)")
            return issue
        }
        try await issues.provideScope(for: test, testCase: testCase, performing: function)
    }
}

extension Trait where Self == SeedTrait {
    /// Adds the seed of this process to each issue of a test that uses `SeededGenerator`. The environment
    /// variable `MOYA_SEED` repeats it.
    public static var seeded: Self { SeedTrait() }
}
