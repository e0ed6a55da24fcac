import Foundation
import MoyaCore

extension RequestMatcher {
    /// Matches requests with this method.
    public static func method(_ method: HTTPMethod) -> RequestMatcher {
        RequestMatcher("\(method)") { request in
            let actual = request.requestMethod
            return actual == method
                ? [] : [Miss(reason: "the method is \(actual), not \(method)", weight: 0.5)]
        }
    }

    /// Matches requests whose whole path fits `template`. `{id}` stands for one segment, and
    /// `{path*}` for one or more segments at the end. The path is percent-decoded first.
    public static func path(_ template: String) -> RequestMatcher {
        let template = PathTemplate(template)
        return RequestMatcher(template.description) { request in
            template.parameters(in: request.pathSegments) ?? [:]
        } misses: { request in
            guard template.parameters(in: request.pathSegments) == nil else { return [] }
            let path = request.urlRequest.url?.path ?? ""
            return [
                Miss(
                    reason: "the path is \(path), not \(template)",
                    weight: path.distance(to: template.description))
            ]
        }
    }

    /// Matches requests to this host. Ignores case.
    public static func host(_ host: String) -> RequestMatcher {
        RequestMatcher("to \(host)") { request in
            let actual = request.urlRequest.url?.host ?? ""
            return actual.lowercased() == host.lowercased()
                ? [] : [Miss(reason: "the host is \(actual), not \(host)", weight: 0.5)]
        }
    }

    /// Matches requests for this URL. Ignores the order of query parameters.
    public static func url(_ text: String) -> RequestMatcher {
        let wanted = ComparableURL(text)
        return RequestMatcher(Redaction.default.redact(url: text)) { request in
            let actual = request.urlRequest.url?.absoluteString ?? ""
            guard ComparableURL(actual) != wanted else { return [] }
            let shown = Redaction.default.redact(url: actual)
            return [
                Miss(reason: "the URL is \(shown)", weight: max(0.1, actual.distance(to: text)))
            ]
        }
    }

    /// Matches requests with this query parameter. With `value` `nil`, any value matches.
    public static func query(_ name: String, _ value: String? = nil) -> RequestMatcher {
        let isSecret = Redaction.default.isSecretParameter(name)
        let shown = isSecret ? Redaction.mask : value
        return RequestMatcher("?\(name)\(value == nil ? "" : "=\(shown ?? "")")") { request in
            let values = request.queryItems.filter { $0.name == name }.map { $0.value ?? "" }
            return absence(
                of: value, in: values, "the query", "parameter \(name)", isSecret: isSecret)
        }
    }

    /// Matches requests with this header field. Ignores the case of the name. With `value` `nil`,
    /// any value matches.
    public static func header(_ name: String, _ value: String? = nil) -> RequestMatcher {
        let isSecret = Redaction.default.isSecretHeader(name)
        let shown = isSecret ? Redaction.mask : value
        return RequestMatcher("\(name)\(value == nil ? "" : ": \(shown ?? "")")") { request in
            let values = request.urlRequest.value(forHTTPHeaderField: name).map { [$0] } ?? []
            return absence(
                of: value, in: values, "the head", "field \(name)", isSecret: isSecret)
        }
    }

    /// Matches requests with this name in their context: the ID of an operation of a generated
    /// client, or the name of a target's case.
    public static func name(_ name: String) -> RequestMatcher {
        RequestMatcher("named \(name)") { request in
            guard let actual = request.context.name else {
                return [Miss(reason: "it has no name", weight: 1)]
            }
            return actual == name
                ? [] : [Miss(reason: "its name is \(actual), not \(name)", weight: 0.9)]
        }
    }

    /// Matches requests for a target of this type for which `isMatch` returns `true`.
    @preconcurrency
    public static func target<Target: TargetType>(
        _ type: Target.Type = Target.self,
        where isMatch: @escaping @Sendable (Target) -> Bool = { _ in true }
    ) -> RequestMatcher {
        RequestMatcher("for a \(Target.self)") { request in
            guard let target = request.target(as: Target.self) else {
                return [Miss(reason: "it is not for a \(Target.self)", weight: 1)]
            }
            return isMatch(target)
                ? [] : [Miss(reason: "\(target) is not the target that was meant", weight: 0.9)]
        }
    }

    private static func absence(
        of value: String?, in values: [String], _ place: String, _ name: String, isSecret: Bool
    ) -> [Miss] {
        guard let first = values.first else {
            return [Miss(reason: "\(place) has no \(name)", weight: 0.5)]
        }
        guard let value, !values.contains(value) else { return [] }
        let reason =
            isSecret
            ? "\(name) has another value, which is secret"
            : "\(name) is “\(first)”, not “\(value)”"
        return [Miss(reason: reason, weight: min(0.5, first.distance(to: value)))]
    }
}

extension TransportRequest {
    /// The target, or a `MultiTarget` around it. `nil` if it has another type.
    func target<Target: TargetType>(as type: Target.Type = Target.self) -> Target? {
        context.target as? Target ?? context.target.map { MultiTarget($0) } as? Target
    }
}
