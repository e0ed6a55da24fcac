import Foundation
import Testing

private let suite = ProcessInfo.processInfo.environment["MOYA_CACHE_TESTS"]
    .map { URL(fileURLWithPath: $0) }

/// The public suite for HTTP caches, http-tests/cache-tests. It is not part of this repository: name its
/// JSON in `MOYA_CACHE_TESTS` to run it. See the README for how it is made, and for the results.
@Suite struct CacheSuiteTests {
    @Test(.enabled(if: suite != nil)) func `passes what the suite requires of a private cache`()
        async throws
    {
        var rows: [String] = []
        for test in try CacheSuite.cases(at: #require(suite)) {
            let outcome = await CacheSuite.run(test)
            let word =
                switch outcome {
                case .passed: "pass"
                case .setup(let text): "setup: \(text)"
                case .failed(let text): "FAIL: \(text)"
                }
            rows.append("\(test.group) | \(test.id) | \(test.kind) | \(word)")
            if test.kind == "required", case .failed = outcome {
                Issue.record("\(test.id): \(test.name): \(word)")
            }
        }
        print(rows.joined(separator: "\n"))
    }
}
