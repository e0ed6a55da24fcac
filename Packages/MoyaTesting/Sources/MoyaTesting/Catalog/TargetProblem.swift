/// A failure or a warning about a target.
public struct TargetProblem: Sendable, Equatable, CustomStringConvertible {
    /// Severity of a problem.
    public enum Severity: Sendable {
        /// Cannot work.
        case failure
        /// Works, but is probably a mistake.
        case warning
    }

    /// The target as text.
    public let target: String
    /// The check that found the problem.
    public let check: CatalogCheck
    /// Severity of the problem.
    public let severity: Severity
    /// Description of the problem and of its solution.
    public let reason: String

    /// Creates a problem, for tests that compare the findings with expected problems.
    public init(
        target: String, check: CatalogCheck, severity: Severity = .failure, reason: String
    ) {
        self.target = target
        self.check = check
        self.severity = severity
        self.reason = reason
    }

    /// The ``target`` and the ``reason``.
    public var description: String { "\(target): \(reason)" }
}

/// A check of a ``TargetCatalog``.
public struct CatalogCheck: Sendable, Hashable, CustomStringConvertible {
    /// Name of the check, shown in reports.
    public let name: String

    /// Creates a custom check.
    public init(_ name: String) { self.name = name }

    /// The ``name``.
    public var description: String { name }

    /// URL, method and header fields make a valid request.
    public static let endpoint = CatalogCheck("endpoint")
    /// The task can be encoded, and its files exist.
    public static let task = CatalogCheck("task")
    /// The sample data matches the expected body.
    public static let sample = CatalogCheck("sample")
    /// The validation type restricts the status, and accepts the status of the sample.
    public static let validation = CatalogCheck("validation")
    /// The URL contains no secret.
    public static let secrets = CatalogCheck("secrets")
    /// No other target has the same method, path and query names.
    public static let duplicates = CatalogCheck("duplicates")
    /// Every known case of the target type is in the catalog: see
    /// ``TargetCatalog/covering(_:by:)``.
    public static let coverage = CatalogCheck("coverage")
    /// Request and sample match the OpenAPI document.
    public static let contract = CatalogCheck("contract")
    /// The server answers with an allowed status and the expected body.
    public static let live = CatalogCheck("live")

    /// Checks that send no request, in the order of the report.
    static let offline = [endpoint, task, sample, validation, secrets, duplicates, contract]
}
