import Foundation
import MoyaCore

/// Compares the requests to stubs with the expectations of a test.
struct StubExpectations: Sendable {
    let registry: StubRegistry
    let reporter: IssueReporter

    /// Descriptions of stubs with unused answers.
    var unusedStubs: [String] {
        registry.rules.compactMap { rule in
            let sequence = rule.sequence.withLock { $0 }
            guard !sequence.isUsed else { return nil }
            let used =
                sequence.useCount == 0
                ? "never used" : "\(sequence.usedCount) of its \(sequence.count) answers used"
            return "\(rule.name) (\(rule.place)): \(used)"
        }
    }

    /// Reports unused stubs, and requests without a stub.
    func verify(at place: SourcePlace) {
        let unused = unusedStubs
        let unexpected = registry.unexpectedRequests
        if !unused.isEmpty {
            let lines = unused.map { "  - \($0)" }.joined(separator: "\n")
            let what = unused.count == 1 ? "A stub was" : "\(unused.count) stubs were"
            reporter.report(
                "\(what) not used:\n\(lines)\n\(requestList)\n"
                    + "Remove what the test does not need, or make the request.", at: place)
        }
        if !unexpected.isEmpty {
            let lines = unexpected.map { "  - \(registry.text(of: $0))" }.joined(separator: "\n")
            let what =
                unexpected.count == 1 ? "A request was" : "\(unexpected.count) requests were"
            reporter.report(
                "\(what) made that nothing is stubbed for:\n\(lines)\n"
                    + "The error of each says how to stub it.", at: place)
        }
    }

    /// Reports an issue unless the expected number of requests matches.
    ///
    /// - Parameter times: Expected number. `nil` expects at least one.
    /// - Returns: The matching requests.
    func expect(
        _ name: String, times: Int?, at place: SourcePlace,
        misses: (TransportRequest) -> [RequestMatcher.Miss]
    ) -> [TransportRequest] {
        let requests = registry.requests
        let found = requests.filter { misses($0).isEmpty }
        let isMet = times.map { $0 == found.count } ?? !found.isEmpty
        guard !isMet else { return found }
        let expected = times.map(Self.count) ?? "at least once"
        var lines = [
            "\(name) was expected \(expected) and requested \(Self.count(found.count)).",
            requestList,
        ]
        let candidates = requests.enumerated().map {
            (name: "request \($0.offset + 1)", misses: misses($0.element))
        }
        let isShort = times.map { found.count < $0 } ?? true
        if isShort, let nearest = RequestMatcher.Miss.nearest(of: candidates) {
            lines.append(nearest)
        }
        reporter.report(lines.joined(separator: "\n"), at: place)
        return found
    }

    /// Reports an issue unless matching requests came in this order. Other requests in between are
    /// ignored.
    func expectOrder(
        _ names: [String], at place: SourcePlace, isMatch: (TransportRequest, Int) -> Bool
    ) {
        var next = 0
        for request in registry.requests where next < names.count && isMatch(request, next) {
            next += 1
        }
        guard next < names.count else { return }
        let after = next == 0 ? "" : " after \(names[..<next].joined(separator: ", "))"
        reporter.report(
            "\(names[next]) was not requested\(after).\n"
                + "Expected, in this order: \(names.joined(separator: ", ")).\n\(requestList)",
            at: place)
    }

    private var requestList: String {
        let requests = registry.requests
        guard !requests.isEmpty else { return "Nothing was requested." }
        return (["Requested, in this order:"] + requests.numberedLines(registry.text(of:)))
            .joined(separator: "\n")
    }

    private static func count(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }
}
