/// Something about a target that cannot work, or that most likely is not meant.
public struct TargetProblem: Sendable, Equatable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: Sendable {
        /// It cannot work.
        case failure
        /// It works, and most likely is not meant.
        case warning
    }

    /// The target, as text.
    public let target: String
    /// The check that found it.
    public let check: CatalogCheck
    /// How bad it is.
    public let severity: Severity
    /// What is wrong, and what to do about it.
    public let reason: String

    /// For tests that compare what was found with what they expect.
    public init(
        target: String, check: CatalogCheck, severity: Severity = .failure, reason: String
    ) {
        self.target = target
        self.check = check
        self.severity = severity
        self.reason = reason
    }

    public var description: String { "\(target): \(reason)" }
}

/// Something that a ``TargetCatalog`` looks at.
public struct CatalogCheck: Sendable, Hashable, CustomStringConvertible {
    /// The check's name, as reports show it.
    public let name: String

    /// A check of your own.
    public init(_ name: String) { self.name = name }

    public var description: String { name }

    /// The URL, the method and the header fields make a request.
    public static let endpoint = CatalogCheck("endpoint")
    /// The task can be encoded, and its files are there.
    public static let task = CatalogCheck("task")
    /// The sample data is what the target expects of an answer.
    public static let sample = CatalogCheck("sample")
    /// The validation type says something, and lets the sample's status pass.
    public static let validation = CatalogCheck("validation")
    /// No secret stands in the URL.
    public static let secrets = CatalogCheck("secrets")
    /// No other target has the same method, path and names in its query.
    public static let duplicates = CatalogCheck("duplicates")
    /// Every case of the target type is in the catalog, where the cases are known: see ``TargetCatalog/covering(_:by:)``.
    public static let coverage = CatalogCheck("coverage")
    /// Request and sample are what the OpenAPI document says.
    public static let contract = CatalogCheck("contract")
    /// The server answers with an allowed status and with what the target expects.
    public static let live = CatalogCheck("live")

    /// The checks that send nothing, in the order of the report.
    static let offline = [endpoint, task, sample, validation, secrets, duplicates, contract]
}
