import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Finds what a test leaves behind: requests without a response, objects that are not released, open descriptors,
/// temporary files.
///
/// With Swift Testing it is a trait, `@Suite(.leakChecked)` or `.leakChecked(.all)`; with XCTest a base class,
/// `LeakCheckedTestCase`.
///
/// Descriptors and temporary files belong to the process and not to a test. Tests that are checked for them run one
/// at a time; those that are not checked may still get in the way, so check all of a process's tests or look at
/// ``Kind/objects`` alone.
public struct LeakCheck: Sendable {
    /// What is looked for.
    public struct Kind: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// What the test has made: requests that stubs and scripts still hold, entries in flight of a
        /// ``StubbedProvider``, tasks that sleep on a ``TestClock``, and what was named with
        /// ``LeakCheck/watch(_:fileID:line:)`` and ``LeakCheck/expectRelease(of:_:fileID:line:)``.
        public static let objects = Kind(rawValue: 1)
        /// Open files, pipes and sockets, and so connections.
        public static let descriptors = Kind(rawValue: 2)
        /// Files with `moya` at the start of their names in the folder for temporary files.
        public static let temporaryFiles = Kind(rawValue: 4)
        /// All of them.
        public static let all: Kind = [.objects, .descriptors, .temporaryFiles]
    }

    /// What is looked for.
    public var kinds: Kind
    /// How long what is closed late may take, in seconds.
    public var patience: TimeInterval
    /// The folder for temporary files.
    public var folder: URL

    /// - Parameters:
    ///   - patience: In seconds. With 0 or less, what is not closed when the test returns is a leak.
    ///   - folder: Where temporary files are looked for. The system's own unless you say otherwise.
    public init(
        _ kinds: Kind = .all, patience: TimeInterval = 2,
        folder: URL = FileManager.default.temporaryDirectory
    ) {
        self.kinds = kinds
        self.patience = patience
        self.folder = folder
    }

    /// Runs `body` and says what it has left behind. Returns as soon as nothing is left.
    ///
    /// - Throws: What `body` throws; `CancellationError`.
    public func leaks(after body: () async throws -> Void) async throws -> [String] {
        try await isProcessWide
            ? LeakCheckMutex.shared.withLock { try await check(body) } : check(body)
    }

    /// Looks when the test is over at what `provider` has not answered yet, where it has `trackInflights: true`. Does
    /// nothing in a test that is not checked.
    public static func watch<Target>(
        _ provider: MoyaProvider<Target>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        LeakScope.current?.add { [weak provider] in
            (provider?.unansweredEndpoints ?? []).map {
                "\($0.method) \(Redaction.default.redact(address: $0.url)) in flight at the "
                    + "provider of \(place)"
            }
        }
    }

    /// Expects `object` to be released once the test is over. Does nothing in a test that is not checked.
    public static func expectRelease(
        of object: some AnyObject & Sendable, _ name: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        LeakScope.current?.add { [weak object] in
            object.map { ["\(name ?? "\(type(of: $0))") of \(place) still in memory"] } ?? []
        }
    }

    private var isProcessWide: Bool { !kinds.isDisjoint(with: [.descriptors, .temporaryFiles]) }

    private func check(_ body: () async throws -> Void) async throws -> [String] {
        let baseline = Baseline(self)
        let scope = LeakScope()
        try await LeakScope.$current.withValue(scope, operation: body)
        let limit = Date() + patience
        while true {
            let leaks = leaks(since: baseline, in: scope)
            if leaks.isEmpty || Date() >= limit { return leaks }
            // The system does not report when a descriptor is closed.
            try await Task.sleep(nanoseconds: 10_000_000)
        }
    }

    /// Runs `body`, and blocks the thread until nothing of it is left or ``patience`` is over. For XCTest, whose tests
    /// run one at a time.
    ///
    /// - Returns: What `body` has left behind.
    /// - Throws: What `body` throws.
    public func blockingLeaks(after body: () throws -> Void) rethrows -> [String] {
        let baseline = Baseline(self)
        let scope = LeakScope()
        try LeakScope.$current.withValue(scope, operation: body)
        let limit = Date() + patience
        while true {
            let leaks = leaks(since: baseline, in: scope)
            if leaks.isEmpty || Date() >= limit { return leaks }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// What there was before a test.
    private struct Baseline {
        let descriptors: [Int32: String]
        let files: Set<String>

        init(_ check: LeakCheck) {
            descriptors = check.kinds.contains(.descriptors) ? OpenDescriptors.all : [:]
            files = check.kinds.contains(.temporaryFiles) ? check.temporaryFiles : []
        }
    }

    /// What is there now and was not before.
    private func leaks(since before: Baseline, in scope: LeakScope) -> [String] {
        var found: [String] = []
        if kinds.contains(.objects) { found += scope.leaks }
        if kinds.contains(.descriptors) {
            found += OpenDescriptors.all.sorted { $0.key < $1.key }
                .filter { before.descriptors[$0.key] != $0.value }
                .map { "descriptor \($0.key) still open: \($0.value)" }
        }
        if kinds.contains(.temporaryFiles) {
            found += temporaryFiles.subtracting(before.files).sorted()
                .map { "\(folder.appendingPathComponent($0).path) still there" }
        }
        return found
    }

    private var temporaryFiles: Set<String> {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Set((names ?? []).filter { $0.lowercased().hasPrefix("moya") })
    }
}
