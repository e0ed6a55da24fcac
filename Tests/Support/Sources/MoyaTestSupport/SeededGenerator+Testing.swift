import MoyaMockServer
import MoyaTesting
import Testing

/// Adds the seed of this process to each issue of a test that uses `SeededGenerator`.
public struct SeedTrait: TestTrait, SuiteTrait, TestScoping {
    public var isRecursive: Bool { true }

    /// Fails the test if `MOYA_SEED` is not a valid seed. The test would otherwise run with other
    /// random numbers than the user wants to repeat.
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
    /// Adds the seed of this process to each issue of a test that uses `SeededGenerator`. Set the
    /// environment variable `MOYA_SEED` to this seed to repeat the run.
    public static var seeded: Self { SeedTrait() }
}
