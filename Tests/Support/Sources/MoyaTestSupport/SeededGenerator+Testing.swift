import MoyaMockServer
import MoyaTesting
import Testing

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed of this process to each issue of a test that uses `SeededGenerator`, thrown
    /// errors and time limits included. Set the environment variable `MOYA_SEED` to this seed to
    /// repeat the run.
    public static var seeded: Self {
        .compactMapIssues { issue in
            // Without a valid seed, `processSeed` must not be read: its initializer may be what
            // reports this issue.
            guard case .success = SeededGenerator.namedSeed else { return issue }
            let seed = "\(SeededGenerator.variable)=\(SeededGenerator.processSeed)"
            let comment = Comment(rawValue: "To use the same random numbers: \(seed)")
            // swift-testing may pass an issue twice.
            guard !issue.comments.contains(comment) else { return issue }
            var issue = issue
            issue.comments.append(comment)
            return issue
        }
    }
}
