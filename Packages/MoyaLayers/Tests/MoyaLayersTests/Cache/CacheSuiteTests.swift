import Foundation
import MoyaTestSupport
import Testing

/// The public suite for HTTP caches, http-tests/cache-tests. It is not part of this repository: set
/// `MOYA_CACHE_TESTS` to the path of its JSON export to run it. The README describes how to create
/// the export, and has the results.
@Suite struct CacheSuiteTests {
    @Test(.requires(.environment("MOYA_CACHE_TESTS")))
    func `the cache passes all required tests of the public HTTP cache suite`()
        async throws
    {
        // A broken setup counts as "does not apply", so it must not hide a required case.
        var requiredCount = 0
        var rows = ["| case | kind | result |", "|---|---|---|"]
        let path = try #require(ProcessInfo.processInfo.environment["MOYA_CACHE_TESTS"])
        let cases = try CacheSuite.cases(at: URL(fileURLWithPath: path))
        var outcomes: [String: CacheSuite.Outcome] = [:]
        for test in cases { outcomes[test.id] = await CacheSuite.run(test) }
        for test in cases {
            var outcome = outcomes[test.id] ?? .setup("")
            let isBaseless = test.dependencies.contains { (outcomes[$0] ?? .passed) != .passed }
            if isBaseless, outcome != .passed { outcome = .setup("builds upon another") }
            if test.kind == "required", case .failed(let text) = outcome {
                Issue.record("\(test.id): \(test.name): \(text)")
            }
            if test.kind == "required", outcome == .passed { requiredCount += 1 }
            rows.append("| \(test.id) | \(test.kind) | \(outcome.word(for: test.kind)) |")
        }
        #expect(requiredCount >= 140, "HTTPCacheTests.md lists 140 required cases that pass")
        print(rows.joined(separator: "\n"))
    }
}

extension CacheSuite.Outcome {
    /// The result in the suite's own terms: a `check` asks how a cache behaves, so it cannot fail.
    fileprivate func word(for kind: String) -> String {
        switch (self, kind) {
        case (.passed, "check"): "yes"
        case (.failed, "check"): "no"
        case (.passed, _): "pass"
        case (.failed, "optimal"): "not optimal"
        case (.failed, _): "FAIL"
        case (.setup, _): "does not apply"
        }
    }
}
