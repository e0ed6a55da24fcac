import Foundation
import MoyaCore

/// What a ``TargetCatalog`` found out about its targets.
public struct CatalogReport: Sendable {
    /// What became of a check.
    public enum Outcome: Sendable {
        /// Nothing was found.
        case passed
        /// Something works, and most likely is not meant.
        case warned
        /// Something cannot work.
        case failed
        /// There was nothing to look at.
        case skipped
    }

    /// One target.
    public struct Row: Sendable, CustomStringConvertible {
        /// The target, as text.
        public let target: String
        /// The request's method. Empty where there is no request.
        public internal(set) var method = ""
        /// The request's URL, with what is secret in it masked.
        public internal(set) var url = ""
        /// What the answer has to be, as text.
        public internal(set) var expectation = ""
        /// The status of the answer, or of the sample.
        public internal(set) var status: Int?
        /// How many bytes the body of the answer, or the sample, has.
        public internal(set) var byteCount: Int?
        /// How long the answer took, in seconds. `nil` for what was not sent.
        public internal(set) var duration: TimeInterval?
        /// Where the time went.
        public internal(set) var metrics: TransportMetrics?
        /// The checks that were made.
        public internal(set) var checks: [CatalogCheck] = []
        /// What was found, failures and warnings.
        public internal(set) var findings: [TargetProblem] = []

        init(_ target: String) { self.target = target }

        public var description: String { target }

        /// The worst of its checks.
        public var outcome: Outcome {
            guard !checks.isEmpty else { return .skipped }
            return checks.map { outcome(of: $0) }.contains(.failed)
                ? .failed : findings.isEmpty ? .passed : .warned
        }

        /// What became of `check`.
        public func outcome(of check: CatalogCheck) -> Outcome {
            let found = findings.filter { $0.check == check }
            if found.contains(where: { $0.severity == .failure }) { return .failed }
            if !found.isEmpty { return .warned }
            return checks.contains(check) ? .passed : .skipped
        }
    }

    /// The catalog's name.
    public let title: String
    /// What was asked: nothing, or the base URL of a server.
    public let subtitle: String
    /// When it was made.
    public let date: Date
    /// The targets, in the order of the catalog.
    public internal(set) var rows: [Row]
    /// What concerns no single target: cases that are missing in the catalog.
    public internal(set) var general: [TargetProblem] = []

    init(title: String, subtitle: String, date: Date = Date(), rows: [Row] = []) {
        self.title = title
        self.subtitle = subtitle
        self.date = date
        self.rows = rows
    }

    /// What was found, failures and warnings.
    public var findings: [TargetProblem] { general + rows.flatMap(\.findings) }
    /// What cannot work.
    public var problems: [TargetProblem] { findings.filter { $0.severity == .failure } }
    /// What works, and most likely is not meant.
    public var warnings: [TargetProblem] { findings.filter { $0.severity == .warning } }

    /// Fails the test it is called in where something cannot work.
    ///
    /// - Throws: ``Failure``, which lists every problem.
    public func requireNoProblems() throws {
        let problems = problems
        guard problems.isEmpty else { throw Failure(title: title, problems: problems) }
    }

    /// Targets that cannot work.
    public struct Failure: Error, CustomStringConvertible, LocalizedError {
        fileprivate let title: String
        /// What cannot work.
        public let problems: [TargetProblem]

        public var description: String {
            let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
            return (["\(title) has \(count):"] + problems.map { "- \($0)" })
                .joined(separator: "\n")
        }

        public var errorDescription: String? { description }
    }
}
