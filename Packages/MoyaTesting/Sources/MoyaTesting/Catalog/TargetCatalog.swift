import MoyaCore

/// Every request an API has, as a list that tests can walk through.
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
/// A target type that is `CaseIterable`, or that lists its cases (`@API` of MoyaMacros), needs no list:
/// `TargetCatalog(GitHub.self)`. Where it has a list, a case that is
/// missing in it is a problem of its own (``CatalogCheck/coverage``). ``covering(_:by:)`` looks for the missing cases of other
/// enums.
public struct TargetCatalog<Target: TargetType>: Sendable {
    /// A target, and what its answer has to be.
    public struct Entry: Sendable, CustomStringConvertible {
        /// The target.
        public let target: Target
        /// What the body of its answer has to be.
        public var expectation: CatalogExpectation

        /// For entries that are made one by one. In a catalog's list, `target.expecting(…)` is shorter.
        ///
        /// - Parameter expectation: `nil` is ``CatalogExpectation/response(of:)`` for a target that knows its response, and
        ///   ``CatalogExpectation/anything`` for every other one.
        public init(_ target: Target, expecting expectation: CatalogExpectation? = nil) {
            self.target = target
            self.expectation = expectation ?? .inferred(from: target)
        }

        /// The target, as text.
        public var description: String { "\(target)" }
    }

    /// The targets, in the order in which they are checked.
    public private(set) var entries: [Entry]
    /// The catalog's name, as reports show it.
    public var name = "\(Target.self)"
    /// The names of the cases without an entry, as far as the cases are known.
    private(set) var missingCases: [String]
    private(set) var omitted: Set<CatalogCheck> = []

    /// A catalog of these targets.
    public init(_ targets: some Sequence<Target>) {
        self.init(targets.map { Entry($0) })
    }

    /// A catalog of every case of a target type.
    public init(_ type: Target.Type = Target.self) where Target: CaseIterable {
        self.init(type.allCases)
    }

    /// A catalog of the examples that a target type has for its cases. A case without one is a problem of its own
    /// (``CatalogCheck/coverage``).
    public init(_ type: Target.Type = Target.self) where Target: ListedTarget {
        self.init(
            type.listedCases.compactMap { listed in
                listed.example.map { Entry($0, expecting: CatalogExpectation(listed)) }
            })
    }

    /// A catalog of the targets and entries that are written down in `entries`.
    public init(@CatalogBuilder<Target> _ entries: () -> [Entry]) {
        self.init(entries())
    }

    private init(_ entries: [Entry]) {
        self.entries = entries
        missingCases = CaseNames.missing(from: entries.map(\.target))
    }

    /// The same catalog, where `expectation` says for each target what its answer has to be. A `switch` over
    /// an enum makes the compiler ask for those that are new.
    public func expecting(_ expectation: (Target) -> CatalogExpectation) -> TargetCatalog {
        var catalog = self
        catalog.entries = entries.map { Entry($0.target, expecting: expectation($0.target)) }
        return catalog
    }

    /// The same catalog, where every answer has to be JSON that decodes into `type`.
    public func expecting<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> TargetCatalog
    {
        expecting { _ in .json(type) }
    }

    /// The same catalog, where each of `cases` has to be the case of an entry.
    ///
    /// Swift lists the cases of an enum without associated values alone. For another one, name the cases in a second enum. The
    /// compiler asks for new ones in the `switch`:
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

    /// The entries that `isIncluded` lets through, without the check for cases that are missing.
    public func filter(_ isIncluded: (Target) -> Bool) -> TargetCatalog {
        var catalog = omitting(.coverage)
        catalog.entries = entries.filter { isIncluded($0.target) }
        return catalog
    }

    /// The same catalog without these checks.
    public func omitting(_ checks: CatalogCheck...) -> TargetCatalog {
        var catalog = self
        catalog.omitted.formUnion(checks)
        return catalog
    }
}

extension TargetType {
    /// This target as an entry of a ``TargetCatalog``.
    public func expecting(_ expectation: CatalogExpectation) -> TargetCatalog<Self>.Entry {
        TargetCatalog.Entry(self, expecting: expectation)
    }

    /// This target as an entry of a ``TargetCatalog``, whose answer has to be JSON that decodes into `type`.
    public func expecting<Value: Decodable & SendableMetatype>(_ type: Value.Type)
        -> TargetCatalog<Self>.Entry
    {
        expecting(.json(type))
    }
}

/// Makes the list of a ``TargetCatalog`` of targets and entries.
@resultBuilder
public enum CatalogBuilder<Target: TargetType> {
    public typealias Entry = TargetCatalog<Target>.Entry

    public static func buildExpression(_ target: Target) -> [Entry] { [Entry(target)] }
    public static func buildExpression(_ entry: Entry) -> [Entry] { [entry] }
    public static func buildBlock(_ parts: [Entry]...) -> [Entry] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Entry]?) -> [Entry] { part ?? [] }
    public static func buildEither(first part: [Entry]) -> [Entry] { part }
    public static func buildEither(second part: [Entry]) -> [Entry] { part }
    public static func buildArray(_ parts: [[Entry]]) -> [Entry] { parts.flatMap { $0 } }
}
