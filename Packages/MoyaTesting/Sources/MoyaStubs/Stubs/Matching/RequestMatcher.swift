import Foundation
import MoyaCore

/// Matches requests, and explains mismatches.
///
/// ```swift
/// let matcher: RequestMatcher =
///     .method(.post) && .path("/users/{id}") && .jsonBody(["name": "Ash"])
/// transport.on(matcher).respond(.response(204))
/// ```
public struct RequestMatcher: Sendable, CustomStringConvertible {
    /// One reason for a mismatch.
    struct Miss: Sendable {
        let reason: String
        private let weigh: @Sendable () -> Double

        /// Degree of the mismatch: 1 for nothing in common, near 0 for a typing error. Computed on
        /// access, because only error messages need it.
        var weight: Double { weigh() }

        init(reason: String, weight: @autoclosure @escaping @Sendable () -> Double) {
            self.reason = reason
            weigh = weight
        }
    }

    /// Description in a few words, for error messages.
    public let description: String
    let misses: @Sendable (TransportRequest) -> [Miss]
    /// Values of the path's placeholders, if the matcher has a path template.
    let parameters: @Sendable (TransportRequest) -> [String: String]

    init(
        _ description: String,
        parameters: @escaping @Sendable (TransportRequest) -> [String: String] = { _ in [:] },
        misses: @escaping @Sendable (TransportRequest) -> [Miss]
    ) {
        self.description = description
        self.misses = misses
        self.parameters = parameters
    }

    /// Whether `request` matches.
    public func matches(_ request: TransportRequest) -> Bool { misses(request).isEmpty }

    /// Reasons why `request` does not match. Empty for a match.
    public func mismatches(_ request: TransportRequest) -> [String] {
        misses(request).map(\.reason)
    }

    /// A custom matcher.
    ///
    /// - Parameters:
    ///   - description: Description in a few words, for error messages.
    ///   - isMatch: Whether a request matches.
    @preconcurrency
    public init(
        _ description: String, where isMatch: @escaping @Sendable (TransportRequest) -> Bool
    ) {
        self.init(description) { request in
            isMatch(request) ? [] : [Miss(reason: "“\(description)” does not hold", weight: 1)]
        }
    }

    /// Matches every request.
    public static let any = RequestMatcher("any request") { _ in [] }

    /// Matches requests that both matchers match.
    public static func && (lhs: RequestMatcher, rhs: RequestMatcher) -> RequestMatcher {
        RequestMatcher("\(lhs) \(rhs)") { request in
            lhs.parameters(request).merging(rhs.parameters(request)) { $1 }
        } misses: { request in
            lhs.misses(request) + rhs.misses(request)
        }
    }

    /// Matches requests that at least one of the matchers matches.
    public static func || (lhs: RequestMatcher, rhs: RequestMatcher) -> RequestMatcher {
        RequestMatcher("(\(lhs) or \(rhs))") { request in
            lhs.matches(request) ? lhs.parameters(request) : rhs.parameters(request)
        } misses: { request in
            let left = lhs.misses(request)
            guard !left.isEmpty else { return [] }
            let right = rhs.misses(request)
            return left.distance < right.distance && !right.isEmpty ? left : right
        }
    }

    /// Matches requests that `matcher` does not match.
    public static prefix func ! (matcher: RequestMatcher) -> RequestMatcher {
        RequestMatcher("not (\(matcher))") { request in
            matcher.matches(request) ? [Miss(reason: "it is \(matcher)", weight: 1)] : []
        }
    }
}

extension [RequestMatcher.Miss] {
    /// Sum of the weights.
    var distance: Double { reduce(0) { $0 + $1.weight } }
    /// The reasons, for error messages.
    var text: String { map(\.reason).joined(separator: "; ") }
}

extension RequestMatcher.Miss {
    /// Returns a sentence about the candidate with the smallest distance. `nil` if all match.
    static func nearest(of candidates: [(name: String, misses: [Self])]) -> String? {
        candidates.filter { !$0.misses.isEmpty }
            .min { $0.misses.distance < $1.misses.distance }
            .map { "The nearest is \($0.name): \($0.misses.text)." }
    }
}

extension Array {
    /// Returns the first 20 elements as numbered lines, and the number of the others.
    func numberedLines(_ text: (Element) -> String) -> [String] {
        let lines = prefix(20).enumerated().map { "  \($0.offset + 1). \(text($0.element))" }
        return lines + (count > lines.count ? ["  and \(count - lines.count) more"] : [])
    }
}
