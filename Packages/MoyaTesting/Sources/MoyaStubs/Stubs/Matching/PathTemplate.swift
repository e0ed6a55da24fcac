import Foundation

/// A path with placeholders: `/users/{id}`, `/files/{path*}`.
struct PathTemplate: Sendable, CustomStringConvertible {
    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
        /// All remaining segments, at least one.
        case rest(String)
    }

    let description: String
    private let segments: [Segment]

    init(_ text: String) {
        description = text
        segments = Self.segments(of: text).map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 else {
                return .literal(segment)
            }
            let name = segment.dropFirst().dropLast()
            return name.hasSuffix("*") ? .rest(String(name.dropLast())) : .parameter(String(name))
        }
    }

    /// Splits the path at slashes and percent-decodes the segments. A trailing slash adds an empty
    /// segment.
    static func segments(of path: String) -> [String] {
        path.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.removingPercentEncoding ?? String($0) }
    }

    /// Returns the values of the placeholders, or `nil` if the path does not match.
    func parameters(in path: [String]) -> [String: String]? {
        var found: [String: String] = [:]
        var rest = path[...]
        for segment in segments {
            guard let next = rest.popFirst() else { return nil }
            switch segment {
            case .literal(let text):
                if text != next { return nil }
            case .parameter(let name):
                if next.isEmpty { return nil }
                found[name] = next
            case .rest(let name):
                found[name] = ([next] + rest).joined(separator: "/")
                rest = []
            }
        }
        return rest.isEmpty ? found : nil
    }
}
