import Foundation
import MoyaCore

extension OfflineChecks {
    // MARK: Secrets

    /// Names that suggest a secret, but are common for public parameters.
    private static let innocentNames: Set = ["appid", "code", "key", "sign", "ticket"]

    static func secrets<Target>(_ subject: Subject<Target>) -> [TargetProblem] {
        guard let url = subject.request?.url,
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return [] }
        let advice = "URLs end up in logs: send it in a header field."
        var found: [TargetProblem] = []
        func report(_ what: String) {
            found.append(subject.problem(.secrets, "\(what) \(advice)"))
        }
        if components.user != nil || components.password != nil {
            report("Its URL holds a user name or a password.")
        }
        for item in components.queryItems ?? [] {
            let isSecret =
                Redaction.default.isSecretParameter(item.name)
                && !innocentNames.contains(item.name.lowercased())
            if isSecret || item.value.map(isToken) ?? false {
                report("Its query holds a secret, by the name of \"\(item.name)\".")
            }
        }
        let segments = components.path.split(separator: "/").map(String.init)
        if segments.contains(where: isToken) {
            report("A segment of its path looks like a token.")
        }
        return found
    }

    /// Whether a text has the format of a secret, which every log masks.
    private static func isToken(_ text: String) -> Bool {
        Redaction.default.redact(text: text) == Redaction.mask
    }

    // MARK: Duplicates

    /// Parts of a request by which a server distinguishes routes.
    private struct Route: Hashable {
        let method: String
        let url: String
        let queryNames: Set<String>
    }

    /// Finds targets with the same route as an earlier target. The keys are indices of `subjects`.
    static func duplicates<Target>(
        among subjects: [Subject<Target>]
    ) -> [Int: TargetProblem] {
        var seen: [Route: Subject<Target>] = [:]
        var found: [Int: TargetProblem] = [:]
        for (index, subject) in subjects.enumerated() {
            guard let route = route(of: subject) else { continue }
            guard let first = seen[route] else {
                seen[route] = subject
                continue
            }
            // Several values of one enum case have the same route on purpose.
            let label = CaseNames.label(of: subject.target)
            if let label, label == CaseNames.label(of: first.target) { continue }
            found[index] = subject.problem(
                .duplicates,
                "It has the method, the path and the query of \(first.name). Where both are meant, "
                    + "leave this check out with omitting(.duplicates).")
        }
        return found
    }

    private static func route<Target>(of subject: Subject<Target>) -> Route? {
        guard let request = subject.request, let url = request.url,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        let names = Set((components.queryItems ?? []).map(\.name))
        components.query = nil
        components.fragment = nil
        return Route(
            method: request.httpMethod ?? "GET", url: components.string ?? "", queryNames: names)
    }
}
