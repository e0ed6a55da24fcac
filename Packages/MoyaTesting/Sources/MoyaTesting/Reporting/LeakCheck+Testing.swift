#if canImport(Testing)
    import MoyaStubs
    import Testing

    /// Fails a test that leaves something behind: see `LeakCheck`.
    ///
    /// ```swift
    /// @Suite(.leakChecked) struct DownloadTests { … }
    /// @Suite(.serialized, .leakChecked(.all)) struct FileTests { … }
    /// ```
    ///
    /// Tests run at the same time, so it looks for what belongs to the test itself. Descriptors and temporary files
    /// belong to the process: ask for `LeakCheck.Kind.all` where every test of the process does.
    public struct LeakCheckTrait: TestTrait, SuiteTrait, TestScoping {
        let check: LeakCheck

        /// Each test of a suite is checked by itself.
        public var isRecursive: Bool { true }

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
        /// Looks for what the test itself has made: ``LeakCheck/Kind/objects``.
        public static var leakChecked: Self { leakChecked(.objects) }

        /// Looks for these things: `.leakChecked(.all)` for descriptors and temporary files as well.
        public static func leakChecked(_ kinds: LeakCheck.Kind) -> Self {
            LeakCheckTrait(check: LeakCheck(kinds))
        }

        /// Looks as `check` says.
        public static func leakChecked(by check: LeakCheck) -> Self {
            LeakCheckTrait(check: check)
        }
    }
#endif
