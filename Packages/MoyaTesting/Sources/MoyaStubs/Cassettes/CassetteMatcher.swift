import Foundation
import MoyaCore

/// What has to be the same for an episode to answer a request. Secrets are masked on both sides before they are
/// compared.
public struct CassetteMatcher: Sendable {
    let name: String
    let misses:
        @Sendable (_ recorded: RecordedRequest, _ actual: RecordedRequest) ->
            [RequestMatcher.Miss]

    init(
        name: String,
        misses: @escaping @Sendable (RecordedRequest, RecordedRequest) -> [RequestMatcher.Miss]
    ) {
        self.name = name
        self.misses = misses
    }

    /// A matcher of your own.
    ///
    /// - Parameter name: What it compares, for the texts of errors.
    @preconcurrency
    public init(
        _ name: String,
        isSame: @escaping @Sendable (_ recorded: RecordedRequest, _ actual: RecordedRequest) -> Bool
    ) {
        self.init(name: name) { recorded, actual in
            isSame(recorded, actual) ? [] : [.init(reason: "the \(name) is another", weight: 0.5)]
        }
    }

    /// The method.
    public static let method = compare("method", weight: 0.5) { $0.method.rawValue }

    /// Scheme, host, port, path and query, the order of parameters aside.
    public static let url = CassetteMatcher(name: "URL") { recorded, actual in
        guard recorded.address != actual.address else { return [] }
        return [
            .init(
                reason: "the URL is \(actual.url), not \(recorded.url)",
                weight: max(0.05, actual.url.distance(to: recorded.url)))
        ]
    }

    /// The host, whatever its case.
    public static let host = compare("host", weight: 0.5) { $0.address.host ?? "" }

    /// The path.
    public static let path = compare("path") { $0.address.path.joined(separator: "/") }

    /// The query's parameters, whatever their order.
    public static let query = compare("query") { $0.address.query.joined(separator: "&") }

    /// The body. JSON is compared by its values, everything else byte by byte.
    public static let body = CassetteMatcher(name: "body") { recorded, actual in
        let (old, new) = (recorded.body ?? Data(), actual.body ?? Data())
        guard old != new else { return [] }
        let decoder = JSONDecoder()
        if let old = try? decoder.decode(JSONValue.self, from: old),
            let new = try? decoder.decode(JSONValue.self, from: new)
        {
            return new.differences(from: old).map {
                .init(reason: "in the body, \($0)", weight: 0.1)
            }
        }
        return [
            .init(
                reason: "the body is \(new.count) bytes, not the \(old.count) recorded ones",
                weight: 0.4)
        ]
    }

    /// The header field `name`.
    public static func header(_ name: String) -> CassetteMatcher {
        compare("field \(name)", weight: 0.3) { $0.values(for: name).joined(separator: ", ") }
    }

    private static func compare(
        _ name: String, weight: Double? = nil,
        _ part: @escaping @Sendable (RecordedRequest) -> String
    ) -> CassetteMatcher {
        CassetteMatcher(name: name) { recorded, actual in
            let (old, new) = (part(recorded), part(actual))
            guard old != new else { return [] }
            return [
                .init(
                    reason: "the \(name) is “\(new)”, not “\(old)”",
                    weight: weight ?? max(0.05, new.distance(to: old)))
            ]
        }
    }
}
