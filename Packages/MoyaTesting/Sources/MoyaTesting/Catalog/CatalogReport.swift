import Foundation
import MoyaCore

/// Report of the checks of a ``TargetCatalog``.
public struct CatalogReport: Sendable {
    /// Result of a check.
    public enum Outcome: Sendable {
        /// No finding.
        case passed
        /// A warning: works, but is probably a mistake.
        case warned
        /// A failure: cannot work.
        case failed
        /// The check does not apply.
        case skipped
    }

    /// Results for one target.
    public struct Row: Sendable, CustomStringConvertible {
        /// The target as text.
        public let target: String
        /// HTTP method. Empty if there is no request.
        let method: String
        /// URL of the request. Secrets are masked.
        let url: String
        /// The expected body as text.
        public internal(set) var expectation: String
        /// Status code of the response, or of the sample response.
        public internal(set) var status: Int?
        /// Size of the body of the response, or of the sample response, in bytes.
        var byteCount: Int?
        /// Seconds until the response was complete. `nil` for a target that was not sent.
        var duration: TimeInterval?
        /// Metrics of the exchange. `nil` if there is no response, or if the transport has no
        /// metrics.
        var metrics: TransportMetrics?
        /// Checks that were made.
        var checks: [CatalogCheck] = []
        /// Failures and warnings.
        public internal(set) var findings: [TargetProblem] = []

        /// The ``target``.
        public var description: String { target }

        /// Worst result of all checks.
        public var outcome: Outcome {
            guard !checks.isEmpty else { return .skipped }
            return checks.map { outcome(of: $0) }.contains(.failed)
                ? .failed : findings.isEmpty ? .passed : .warned
        }

        /// Returns the result of `check`.
        public func outcome(of check: CatalogCheck) -> Outcome {
            let found = findings.filter { $0.check == check }
            if found.contains(where: { !$0.isWarning }) { return .failed }
            if !found.isEmpty { return .warned }
            return checks.contains(check) ? .passed : .skipped
        }
    }

    /// Name of the catalog.
    let title: String
    /// Kind of the check: `offline`, `live`, or the base URL of the checked server.
    let subtitle: String
    /// Date of the report.
    var date = Date()
    /// One row for each target, in the order of the catalog.
    public internal(set) var rows: [Row] = []
    /// Findings without a target: cases that are missing in the catalog.
    public internal(set) var general: [TargetProblem] = []

    /// All failures and warnings.
    public var findings: [TargetProblem] { general + rows.flatMap(\.findings) }
    /// All failures.
    public var problems: [TargetProblem] { findings.filter { !$0.isWarning } }
    /// All warnings.
    var warnings: [TargetProblem] { findings.filter(\.isWarning) }

    /// Throws an error if there are failures, which fails the calling test.
    ///
    /// - Throws: ``Failure``, which lists all problems.
    public func requireNoProblems() throws {
        let problems = problems
        guard problems.isEmpty else { throw Failure(title: title, problems: problems) }
    }

    /// Error that lists the failures of a report.
    public struct Failure: Error, CustomStringConvertible, LocalizedError {
        fileprivate let title: String
        /// The failures.
        public let problems: [TargetProblem]

        /// The title and all problems.
        public var description: String {
            (["\(title) has \(problems.count.counted("problem")):"] + problems.map { "- \($0)" })
                .joined(separator: "\n")
        }

        /// The ``description``.
        public var errorDescription: String? { description }
    }
}
