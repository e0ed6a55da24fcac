import Foundation
import MoyaCore

/// Picks requests, and says of others why it does not.
///
/// ```swift
/// let matcher: RequestMatcher = .method(.post) && .path("/users/{id}") && .jsonBody(["name": "Ash"])
/// transport.on(matcher).respond(.response(204))
/// ```
public struct RequestMatcher: Sendable, CustomStringConvertible {
    /// One reason why a request was not picked.
    struct Miss: Sendable {
        let reason: String
        private let weigh: @Sendable () -> Double

        /// How far off it was: 1 for nothing in common, near 0 for a typing error. Computed on use: most
        /// requests are picked by another matcher.
        var weight: Double { weigh() }

        init(reason: String, weight: @autoclosure @escaping @Sendable () -> Double) {
            self.reason = reason
            weigh = weight
        }
    }

    /// What it picks, in a few words.
    public let description: String
    let misses: @Sendable (TransportRequest) -> [Miss]
    /// The parameters of the path, where the matcher knows them.
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

    /// Whether it picks `request`.
    public func matches(_ request: TransportRequest) -> Bool { misses(request).isEmpty }

    /// Why it does not pick `request`. Empty where it does.
    public func mismatches(_ request: TransportRequest) -> [String] {
        misses(request).map(\.reason)
    }

    /// A matcher of your own.
    ///
    /// - Parameter description: What it picks, for the texts of failures.
    @preconcurrency
    public init(
        _ description: String, where isMatch: @escaping @Sendable (TransportRequest) -> Bool
    ) {
        self.init(description) { request in
            isMatch(request) ? [] : [Miss(reason: "“\(description)” does not hold", weight: 1)]
        }
    }

    /// Every request.
    public static let any = RequestMatcher("any request") { _ in [] }

    /// What both pick.
    public static func && (lhs: RequestMatcher, rhs: RequestMatcher) -> RequestMatcher {
        RequestMatcher("\(lhs) \(rhs)") { request in
            lhs.parameters(request).merging(rhs.parameters(request)) { $1 }
        } misses: { request in
            lhs.misses(request) + rhs.misses(request)
        }
    }

    /// What one of the two picks, or both.
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

    /// What `matcher` does not pick.
    public static prefix func ! (matcher: RequestMatcher) -> RequestMatcher {
        RequestMatcher("not (\(matcher))") { request in
            matcher.matches(request) ? [Miss(reason: "it is \(matcher)", weight: 1)] : []
        }
    }
}

extension [RequestMatcher.Miss] {
    /// How far off altogether.
    var distance: Double { reduce(0) { $0 + $1.weight } }
}
