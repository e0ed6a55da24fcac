import Foundation
import MoyaCore

/// Something about a target that cannot work.
public struct TargetProblem: Sendable, CustomStringConvertible {
    /// The target, as text.
    public let target: String
    /// What is wrong.
    public let reason: String

    public var description: String { "\(target): \(reason)" }
}

extension MoyaProvider {
    /// Looks at every target without sending anything: can its request be made, is its URL one for http
    /// or https, and is its sample data what `check` asks for?
    ///
    /// ```swift
    /// #expect(provider.problems(in: GitHub.allCases) == [])
    /// ```
    ///
    /// - Parameter check: Throws what is wrong with a target's sample response.
    public func problems(
        in targets: some Sequence<Target>,
        check: (Target, Response) throws -> Void = { _, _ in }
    ) -> [TargetProblem] {
        targets.flatMap { target in
            var problems: [TargetProblem] = []
            func report(_ reason: String) {
                problems.append(TargetProblem(target: "\(target)", reason: reason))
            }
            do throws(MoyaError) {
                let request = try endpoint(target).urlRequest()
                let scheme = request.url?.scheme?.lowercased()
                if scheme != "http" && scheme != "https" {
                    report("Its URL is neither http nor https.")
                }
                if request.url?.host?.isEmpty ?? true { report("Its URL has no host.") }
            } catch {
                report(
                    [error.errorDescription, error.recoverySuggestion].compactMap { $0 }.joined(
                        separator: " "))
            }
            do {
                try check(target, Response(statusCode: 200, data: target.sampleData))
            } catch {
                report("Its sample data does not do: \(error)")
            }
            return problems
        }
    }
}

extension TargetProblem: Equatable {}
