#if canImport(Testing)
    import MoyaStubs
    import Testing

    /// Fails tests that leak: see `LeakCheck`.
    ///
    /// ```swift
    /// @Suite(.leakChecked) struct DownloadTests { … }
    /// @Suite(.serialized, .leakChecked(.all)) struct FileTests { … }
    /// ```
    ///
    /// Checks only objects of the test by default, because tests run in parallel. Descriptors and
    /// temporary files belong to the process: use `LeakCheck.Kind.all` only if all tests of the
    /// process do.
    public struct LeakCheckTrait: TestTrait, SuiteTrait, TestScoping {
        let check: LeakCheck

        /// Applies the trait to each test of a suite.
        public var isRecursive: Bool { true }

        /// Runs a test case and records an issue with its leaks.
        public func provideScope(
            for test: Test, testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            guard testCase != nil else { return try await function() }
            let leaks = try await check.leaks(after: function)
            guard !leaks.isEmpty else { return }
            Issue.record(
                Comment(rawValue: leakMessage(leaks)), sourceLocation: test.sourceLocation)
        }
    }

    extension Trait where Self == LeakCheckTrait {
        /// Checks objects of the test: `LeakCheck.Kind.objects`.
        public static var leakChecked: Self { leakChecked(.objects) }

        /// Checks these kinds: `.leakChecked(.all)` includes descriptors and temporary files.
        public static func leakChecked(_ kinds: LeakCheck.Kind) -> Self {
            LeakCheckTrait(check: LeakCheck(kinds))
        }

        /// Checks with the kinds, the wait and the folder of `check`.
        public static func leakChecked(by check: LeakCheck) -> Self {
            LeakCheckTrait(check: check)
        }
    }
#endif
