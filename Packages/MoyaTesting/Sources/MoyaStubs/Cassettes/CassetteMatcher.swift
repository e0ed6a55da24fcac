import Foundation
import MoyaCore

/// Condition under which an episode answers a request. Secrets are masked on both sides before the
/// comparison.
public struct CassetteMatcher: Sendable {
    let name: String
    let misses:
        @Sendable (_ recorded: RecordedRequest, _ actual: RecordedRequest) ->
            [RequestMatcher.Miss]
}

extension CassetteMatcher {
    /// A custom matcher.
    ///
    /// - Parameters:
    ///   - name: Name of the compared property, for error messages.
    ///   - isSame: Whether the property is equal in both requests.
    @preconcurrency
    public init(
        _ name: String,
        isSame: @escaping @Sendable (_ recorded: RecordedRequest, _ actual: RecordedRequest) -> Bool
    ) {
        self.init(name: name) { recorded, actual in
            isSame(recorded, actual) ? [] : [.init(reason: "the \(name) is another", weight: 0.5)]
        }
    }

    /// Compares the method.
    public static let method = compare("method", weight: 0.5) { $0.method.rawValue }

    /// Compares scheme, host, port, path and query. Ignores the order of parameters.
    public static let url = CassetteMatcher(name: "URL") { recorded, actual in
        guard recorded.address != actual.address else { return [] }
        return [
            .init(
                reason: "the URL is \(actual.url), not \(recorded.url)",
                weight: max(0.05, actual.url.distance(to: recorded.url)))
        ]
    }

    /// Compares the host. Ignores case.
    public static let host = compare("host", weight: 0.5) { $0.address.host ?? "" }

    /// Compares the path.
    public static let path = compare("path") { $0.address.path.joined(separator: "/") }

    /// Compares the query's parameters. Ignores their order.
    public static let query = compare("query") { $0.address.query.joined(separator: "&") }

    /// Compares the body: JSON by value, and property lists by value if the request's `Coders` have
    /// a `PropertyListDecoder` for its `Content-Type`. All other bodies are compared byte by byte.
    public static let body = CassetteMatcher(name: "body") { recorded, actual in
        let (old, new) = (recorded.body ?? Data(), actual.body ?? Data())
        guard old != new else { return [] }
        // JSON as it is sent: without the strategies of the coders' decoder. Of other decoders,
        // only that of property lists keeps all names and values: XMLCoder's ignores names.
        var decoders: [any BodyDecoder] = [JSONDecoder()]
        let other = actual.coders.decoder(for: actual.fields.values(for: "Content-Type").first)
        if other is PropertyListDecoder { decoders.append(other) }
        for decoder in decoders {
            if let old = try? decoder.decode(JSONValue.self, from: old),
                let new = try? decoder.decode(JSONValue.self, from: new)
            {
                return new.differences(from: old).map {
                    .init(reason: "in the body, \($0)", weight: 0.1)
                }
            }
        }
        return [
            .init(
                reason: "the body is \(new.count) bytes, not the \(old.count) recorded ones",
                weight: 0.4)
        ]
    }

    /// Compares the header field `name`.
    public static func header(_ name: String) -> CassetteMatcher {
        compare("field \(name)", weight: 0.3) {
            $0.fields.values(for: name).joined(separator: ", ")
        }
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
