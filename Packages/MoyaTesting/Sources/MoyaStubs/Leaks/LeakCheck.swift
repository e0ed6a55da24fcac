import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Finds what a test leaves behind: requests without a response, objects that are not released,
/// open descriptors, temporary files.
///
/// Swift Testing uses it as a trait, `@Suite(.leakChecked)` or `.leakChecked(.all)`; XCTest as a
/// base class, `LeakCheckedTestCase`.
///
/// Descriptors and temporary files belong to the process and not to a test. Tests that are checked
/// for them run one at a time, but an unchecked test that runs meanwhile may cause a false leak:
/// check all tests of the process, or check only ``Kind/objects``.
public struct LeakCheck: Sendable {
    /// Kinds of leaks to look for.
    public struct Kind: OptionSet, Sendable {
        /// Bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Objects of the test: requests that stubs and scripts still hold, requests in flight of a
        /// ``StubbedProvider``, tasks that sleep on a ``TestClock``, and objects passed to
        /// ``LeakCheck/watch(_:fileID:line:)`` and ``LeakCheck/expectRelease(of:_:fileID:line:)``.
        public static let objects = Kind(rawValue: 1)
        /// Open files, pipes and sockets, and so connections.
        public static let descriptors = Kind(rawValue: 2)
        /// Files in the temporary folder whose names begin with `moya`, in any case.
        public static let temporaryFiles = Kind(rawValue: 4)
        /// All kinds.
        public static let all: Kind = [.objects, .descriptors, .temporaryFiles]
    }

    /// Kinds of leaks to look for.
    let kinds: Kind
    /// Seconds to wait for resources that are released late.
    let patience: TimeInterval
    /// Folder that is searched for temporary files.
    let folder: URL

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - kinds: Kinds of leaks to look for.
    ///   - patience: Seconds to wait for resources that are released late. With 0 or less,
    ///     resources still in use when the test returns are leaks.
    ///   - folder: Folder that is searched for temporary files. The system's temporary folder by
    ///     default.
    public init(
        _ kinds: Kind = .all, patience: TimeInterval = 2,
        folder: URL = FileManager.default.temporaryDirectory
    ) {
        self.kinds = kinds
        self.patience = patience
        self.folder = folder
    }

    /// Runs `body` and returns its leaks. Returns as soon as no leak is left, or after
    /// `patience`.
    ///
    /// - Throws: Errors of `body`; `CancellationError`.
    public func leaks(after body: () async throws -> Void) async throws -> [String] {
        try await isProcessWide
            ? LeakCheckMutex.shared.withLock { try await check(body) } : check(body)
    }

    /// Reports requests that `provider` has not answered when the test ends. The provider needs
    /// `trackInflights: true`. Has no effect in a test without a leak check.
    public static func watch<Target>(
        _ provider: MoyaProvider<Target>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        LeakScope.current?.add { [weak provider] in
            (provider?.unansweredEndpoints ?? []).map {
                "\($0.method) \(Redaction.default.redact(url: $0.url)) in flight at the "
                    + "provider of \(place)"
            }
        }
    }

    /// Expects `object` to be released when the test ends. Has no effect in a test without a leak
    /// check.
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
        let baseline = Set(resources)
        let scope = LeakScope()
        try await LeakScope.$current.withValue(scope, operation: body)
        let limit = Date() + patience
        while true {
            let leaks = leaks(since: baseline, in: scope)
            if leaks.isEmpty || Date() >= limit { return leaks }
            // Polls: the system does not report when a descriptor is closed.
            try await Task.sleep(nanoseconds: 10_000_000)
        }
    }

    /// Runs `body`, and blocks the thread until no leak is left or `patience` is over. For
    /// XCTest, whose tests run one at a time.
    ///
    /// - Returns: The leaks of `body`.
    /// - Throws: Errors of `body`.
    public func blockingLeaks(after body: () throws -> Void) rethrows -> [String] {
        let baseline = Set(resources)
        let scope = LeakScope()
        try LeakScope.$current.withValue(scope, operation: body)
        let limit = Date() + patience
        while true {
            let leaks = leaks(since: baseline, in: scope)
            if leaks.isEmpty || Date() >= limit { return leaks }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Leaks of the scope, and resources that are not in the baseline.
    private func leaks(since baseline: Set<String>, in scope: LeakScope) -> [String] {
        (kinds.contains(.objects) ? scope.leaks : []) + resources.filter { !baseline.contains($0) }
    }

    /// Open descriptors and temporary files of the process, each described as a leak.
    private var resources: [String] {
        var found: [String] = []
        if kinds.contains(.descriptors) {
            found += OpenDescriptors.all.sorted { $0.key < $1.key }
                .map { "descriptor \($0.key) still open: \($0.value)" }
        }
        if kinds.contains(.temporaryFiles) {
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
            found += (names ?? []).filter { $0.lowercased().hasPrefix("moya") }.sorted()
                .map { "\(folder.appendingPathComponent($0).path) still there" }
        }
        return found
    }
}
