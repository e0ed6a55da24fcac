import Foundation
import MoyaCore
import MoyaInternals

/// How old a stored response is, and how old it may get (RFC 9111, section 4.2), in seconds.
struct Freshness: Equatable {
    let age: TimeInterval
    let lifetime: TimeInterval

    var isFresh: Bool { lifetime > age }
    /// How long it has been stale.
    var staleness: TimeInterval { max(0, age - lifetime) }

    init(_ stored: StoredResponse, now: Date) {
        age = Self.age(of: stored, now: now)
        lifetime = Self.lifetime(of: stored)
    }

    /// Section 4.2.3.
    private static func age(of stored: StoredResponse, now: Date) -> TimeInterval {
        let apparent = max(0, stored.responseTime.timeIntervalSince(stored.date))
        let said = stored.values(for: "Age").first
            .map { $0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces) }
            .flatMap(DeltaSeconds.parse)
        let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
        let initial = max(apparent, (said ?? 0) + delay)
        return initial + max(0, now.timeIntervalSince(stored.responseTime))
    }

    /// Section 4.2.1, for a private cache: `s-maxage` is not for us.
    private static func lifetime(of stored: StoredResponse) -> TimeInterval {
        if let seconds = stored.cacheControl.seconds("max-age") { return seconds }
        let expires = stored.values(for: "Expires")
        if let date = expires.first {
            // Which of two is right is unknown: that is treated like a date that cannot be read.
            let end = expires.count == 1 ? HTTPDate.parse(date) : nil
            return end.map { max(0, $0.timeIntervalSince(stored.date)) } ?? 0
        }
        return heuristicLifetime(of: stored)
    }

    /// Section 4.2.2: a tenth of the time since the last change, at most a day.
    private static func heuristicLifetime(of stored: StoredResponse) -> TimeInterval {
        guard
            CacheRules.isHeuristicallyCacheable(stored.statusCode)
                || stored.cacheControl.has("public"),
            let modified = stored.lastModified.flatMap(HTTPDate.parse)
        else { return 0 }
        return min(max(0, stored.date.timeIntervalSince(modified) / 10), 86400)
    }
}
