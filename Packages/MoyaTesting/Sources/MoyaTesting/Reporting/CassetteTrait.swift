#if canImport(Testing)
    import Foundation
    import MoyaCore
    import MoyaStubs
    import Testing

    /// Gives a test a cassette: see `Transport.cassette(options:)`.
    ///
    /// ```swift
    /// @Test(.cassette("checkout")) func `a checkout has a receipt`() async throws {
    ///     let shop = MoyaProvider<Shop>(transport: try CurlTransport().cassette())
    ///     …
    /// }
    /// ```
    ///
    /// The file is `Cassettes/checkout.har` in the folder of the test's source file. Exclude the
    /// folder in the manifest: `.testTarget(name: …, exclude: ["Cassettes"])`.
    public struct CassetteTrait: TestTrait, SuiteTrait, TestScoping {
        /// The cassette of the running test.
        struct Cassette: Sendable {
            let file: URL
            let mode: CassetteTransport.Mode
        }

        @TaskLocal static var current: Cassette?

        let cassette: Cassette

        /// Applies the trait to each test of a suite.
        public var isRecursive: Bool { true }

        /// Runs a test case with its cassette.
        public func provideScope(
            for test: Test, testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await Self.$current.withValue(cassette) { try await function() }
        }
    }

    extension Trait where Self == CassetteTrait {
        /// Gives the test the cassette `Cassettes/name.har` in the folder of its source file.
        ///
        /// - Parameter mode: Whether exchanges are played or recorded.
        public static func cassette(
            _ name: String, mode: CassetteTransport.Mode = .once,
            filePath: StaticString = #filePath
        ) -> Self {
            let file = URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent()
                .appendingPathComponent("Cassettes/\(name).har")
            return CassetteTrait(cassette: .init(file: file, mode: mode))
        }
    }

    extension Transport {
        /// Returns the cassette of the running test, which records the exchanges of this transport:
        /// see ``CassetteTrait``.
        ///
        /// - Throws: `CassetteError` if the file is not an HTTP Archive, or if it is missing and
        ///   is not to be recorded; ``MissingCassetteTrait`` if the test has no cassette.
        public func cassette(
            options: CassetteTransport.Options = .init()
        ) throws -> CassetteTransport {
            guard let cassette = CassetteTrait.current else { throw MissingCassetteTrait() }
            try FileManager.default.createDirectory(
                at: cassette.file.deletingLastPathComponent(), withIntermediateDirectories: true)
            return try self.cassette(at: cassette.file, mode: cassette.mode, options: options)
        }
    }

    /// A transport was to record on the cassette of the running test, which has none.
    public struct MissingCassetteTrait: Error, LocalizedError {
        /// What is missing.
        public var errorDescription: String? {
            "The test has no cassette. Add the trait .cassette(\"name\"), or call cassette() in the "
                + "task of the test: detached tasks do not know their test."
        }
    }
#endif
