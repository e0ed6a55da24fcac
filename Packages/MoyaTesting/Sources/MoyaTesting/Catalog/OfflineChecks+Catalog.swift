import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension OfflineChecks {
    // MARK: Secrets

    /// Parameters that may be called so without being secret.
    private static let innocentNames: Set = ["code", "key"]

    static func secrets<Target>(_ subject: Subject<Target>) -> [TargetProblem] {
        guard let url = subject.request?.url,
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return [] }
        let advice = "URLs end up in logs: send it in a header field."
        var found: [TargetProblem] = []
        if components.user != nil || components.password != nil {
            found.append(
                subject.problem(
                    .secrets, "Its URL holds a user name or a password. \(advice)"))
        }
        for item in components.queryItems ?? [] {
            let name = item.name.lowercased()
            let isSecret =
                Redaction.default.queryNames.contains(name) && !innocentNames.contains(name)
            if isSecret || item.value.map(looksLikeToken) ?? false {
                found.append(
                    subject.problem(
                        .secrets,
                        "Its query holds a secret, by the name of \"\(item.name)\". \(advice)"))
            }
        }
        if components.path.split(separator: "/").contains(where: { looksLikeToken(String($0)) }) {
            found.append(
                subject.problem(
                    .secrets, "A segment of its path looks like a token. \(advice)"))
        }
        return found
    }

    /// How well-known services begin their tokens, and how long these are at least.
    private static let tokenPrefixes: [(String, Int)] = [
        ("eyJ", 30), ("ghp_", 20), ("gho_", 20), ("ghs_", 20), ("github_pat_", 20), ("glpat-", 20),
        ("xoxb-", 20), ("xoxp-", 20), ("sk_live_", 20), ("sk-", 32), ("AKIA", 20), ("AIza", 39),
    ]

    /// The text of a URL, of whose tokens only the beginning is left.
    static func maskingTokens(in url: String) -> String {
        var shown = ""
        var part = ""
        for character in url {
            if "/?&=#;".contains(character) {
                shown += masked(part) + String(character)
                part = ""
            } else {
                part.append(character)
            }
        }
        return shown + masked(part)
    }

    private static func masked(_ part: String) -> String {
        looksLikeToken(part.removingPercentEncoding ?? part) ? part.prefix(4) + "***" : part
    }

    private static func looksLikeToken(_ text: String) -> Bool {
        tokenPrefixes.contains { text.hasPrefix($0) && text.utf8.count >= $1 }
    }

    // MARK: Duplicates

    /// What a server tells two requests apart by.
    private struct Route: Hashable {
        let method: String
        let url: String
        let queryNames: Set<String>
    }

    /// Targets that ask the same as one before them, by their place in the list.
    static func duplicates<Target>(
        among subjects: [Subject<Target>]
    ) -> [Int: [TargetProblem]] {
        var seen: [Route: Subject<Target>] = [:]
        var found: [Int: [TargetProblem]] = [:]
        for (index, subject) in subjects.enumerated() {
            guard let route = route(of: subject) else { continue }
            guard let first = seen[route] else {
                seen[route] = subject
                continue
            }
            // One case with several values is one request.
            let name = CaseNames.name(of: subject.target)
            if let name, name == CaseNames.name(of: first.target) { continue }
            found[index, default: []].append(
                subject.problem(
                    .duplicates,
                    "It has the method, the path and the query of \(first.name). Where both are meant, "
                        + "leave this check out with omitting(.duplicates)."))
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
