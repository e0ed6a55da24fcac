import MoyaCore

/// List of all requests of an API, for tests that check each of them.
///
/// ```swift
/// let catalog = TargetCatalog<GitHub> {
///     GitHub.zen.expecting(.text)
///     GitHub.userProfile("ashfurrow").expecting(User.self)
/// }
/// #expect(catalog.check().problems == [])                         // sends nothing
/// let report = await catalog.checkLive(with: provider, at: staging)
/// try report.writeHTML(to: file)
/// ```
///
/// A target type that is `CaseIterable`, or that lists its cases (`@API` of MoyaMacros), needs no
/// list: `TargetCatalog(GitHub.self)`. A case of such a type that is missing in a list is reported
/// by ``CatalogCheck/coverage``. For other enums, ``covering(_:by:)`` finds the missing cases.
public struct TargetCatalog<Target: TargetType>: Sendable {
    /// A target, and the expected body of its response.
    public struct Entry: Sendable, CustomStringConvertible {
        /// The target.
        public let target: Target
        /// The expected body of its response.
        public var expectation: CatalogExpectation

        /// Creates an entry. In the list of a catalog, `target.expecting(…)` is shorter.
        ///
        /// - Parameters:
        ///   - target: The target.
        ///   - expectation: Expected body. `nil` is ``CatalogExpectation/response(of:)`` for a
        ///     target whose type declares its response, and ``CatalogExpectation/anything`` for
        ///     other targets.
        public init(_ target: Target, expecting expectation: CatalogExpectation? = nil) {
            self.target = target
            self.expectation = expectation ?? .inferred(from: target)
        }

        /// The target as text.
        public var description: String { "\(target)" }
    }

    /// The entries, in the order of the checks.
    public private(set) var entries: [Entry]
    /// Name of the catalog, shown in reports.
    public var name = "\(Target.self)"
    /// Names of the known cases without an entry.
    private(set) var missingCases: [String]
    private(set) var omitted: Set<CatalogCheck> = []

    /// Creates a catalog of these targets.
    public init(_ targets: some Sequence<Target>) {
        self.init(targets.map { Entry($0) })
    }

    /// Creates a catalog of all cases of a target type.
    public init(_ type: Target.Type = Target.self) where Target: CaseIterable {
        self.init(type.allCases)
    }

    /// Creates a catalog of the examples that a target type lists for its cases. A case without an
    /// example is reported by ``CatalogCheck/coverage``.
    public init(_ type: Target.Type = Target.self) where Target: ListedTarget {
        self.init(
            type.listedCases.compactMap { listed in
                listed.example.map { Entry($0, expecting: CatalogExpectation(listed)) }
            })
    }

    /// Creates a catalog of the targets and entries in a result builder.
    public init(@CatalogBuilder<Target> _ entries: () -> [Entry]) {
        self.init(entries())
    }

    private init(_ entries: [Entry]) {
        self.entries = entries
        missingCases = CaseNames.missing(from: entries.map(\.target))
    }

    /// Returns this catalog with the expectations that `expectation` returns for its targets. In a
    /// `switch` over an enum, the compiler reports new cases.
    public func expecting(_ expectation: (Target) -> CatalogExpectation) -> TargetCatalog {
        var catalog = self
        catalog.entries = entries.map { Entry($0.target, expecting: expectation($0.target)) }
        return catalog
    }

    /// Returns this catalog, expecting a body that decodes into `type` for every target, with the
    /// coders of the target or the provider.
    public func expecting<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> TargetCatalog
    {
        expecting { _ in .json(type) }
    }

    /// Returns this catalog with a check that each of `cases` has an entry.
    ///
    /// Swift does not list the cases of an enum with associated values. Name them in a second enum.
    /// The compiler reports new cases in the `switch`:
    ///
    /// ```swift
    /// enum Name: CaseIterable { case zen, userProfile }
    ///
    /// catalog.covering(Name.self) { target in
    ///     switch target {
    ///     case .zen: .zen
    ///     case .userProfile: .userProfile
    ///     }
    /// }
    /// ```
    public func covering<Case: CaseIterable & Hashable>(
        _ cases: Case.Type, by name: (Target) -> Case
    ) -> TargetCatalog {
        var catalog = self
        let listed = Set(entries.map { name($0.target) })
        catalog.missingCases = cases.allCases.filter { !listed.contains($0) }.map { "\($0)" }
        return catalog
    }

    /// Returns a catalog of the entries for which `isIncluded` returns `true`, without the check
    /// for missing cases.
    public func filter(_ isIncluded: (Target) -> Bool) -> TargetCatalog {
        var catalog = omitting(.coverage)
        catalog.entries = entries.filter { isIncluded($0.target) }
        return catalog
    }

    /// Returns this catalog without these checks.
    public func omitting(_ checks: CatalogCheck...) -> TargetCatalog {
        var catalog = self
        catalog.omitted.formUnion(checks)
        return catalog
    }
}

extension TargetType {
    /// Returns an entry of a ``TargetCatalog`` with this target and this expectation.
    public func expecting(_ expectation: CatalogExpectation) -> TargetCatalog<Self>.Entry {
        TargetCatalog.Entry(self, expecting: expectation)
    }

    /// Returns an entry of a ``TargetCatalog`` with this target, expecting a body that decodes into
    /// `type`, with the coders of the target or the provider.
    public func expecting<Value: Decodable & SendableMetatype>(_ type: Value.Type)
        -> TargetCatalog<Self>.Entry
    {
        expecting(.json(type))
    }
}

/// Result builder for the list of a ``TargetCatalog``.
@resultBuilder
public enum CatalogBuilder<Target: TargetType> {
    /// Element of the list.
    public typealias Entry = TargetCatalog<Target>.Entry

    /// Adds a target with its default expectation.
    public static func buildExpression(_ target: Target) -> [Entry] { [Entry(target)] }
    /// Adds an entry.
    public static func buildExpression(_ entry: Entry) -> [Entry] { [entry] }
    /// Joins the parts of a block.
    public static func buildBlock(_ parts: [Entry]...) -> [Entry] { parts.flatMap { $0 } }
    /// Adds the entries of an `if` without `else`.
    public static func buildOptional(_ part: [Entry]?) -> [Entry] { part ?? [] }
    /// Adds the entries of the first branch.
    public static func buildEither(first part: [Entry]) -> [Entry] { part }
    /// Adds the entries of the second branch.
    public static func buildEither(second part: [Entry]) -> [Entry] { part }
    /// Adds the entries of a loop.
    public static func buildArray(_ parts: [[Entry]]) -> [Entry] { parts.flatMap { $0 } }
}
