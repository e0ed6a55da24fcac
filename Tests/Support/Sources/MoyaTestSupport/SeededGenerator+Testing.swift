@_spi(MoyaInternals) import MoyaMockServer
import Testing

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed of this process to each issue of a test that uses `SeededGenerator`. The environment variable `MOYA_SEED`
    /// repeats it.
    public static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            let seed = "\(SeededGenerator.variable)=\(SeededGenerator.processSeed)"
            issue.comments.append("To use the same random numbers: \(seed)")
            return issue
        }
    }
}
