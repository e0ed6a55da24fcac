import Foundation
import MoyaCore
import MoyaInternals

/// Age and freshness lifetime of a stored response (RFC 9111, section 4.2), in seconds.
struct Freshness: Equatable {
    let age: TimeInterval
    let lifetime: TimeInterval

    var isFresh: Bool { lifetime > age }
    /// Time since the response became stale, in seconds. 0 while it is fresh.
    var staleness: TimeInterval { max(0, age - lifetime) }

    init(_ stored: StoredResponse, now: Date) {
        age = Self.age(of: stored, now: now)
        lifetime = Self.lifetime(of: stored)
    }

    /// Returns the age (RFC 9111, section 4.2.3).
    private static func age(of stored: StoredResponse, now: Date) -> TimeInterval {
        let apparent = max(0, stored.responseTime.timeIntervalSince(stored.date))
        let said = stored.values(for: "Age").first
            .map { $0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces) }
            .flatMap(DeltaSeconds.parse)
        let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
        let initial = max(apparent, (said ?? 0) + delay)
        return initial + max(0, now.timeIntervalSince(stored.responseTime))
    }

    /// Returns the lifetime (RFC 9111, section 4.2.1). `s-maxage` does not apply to a private
    /// cache.
    private static func lifetime(of stored: StoredResponse) -> TimeInterval {
        if let seconds = stored.cacheControl.seconds("max-age") { return seconds }
        let expires = stored.values(for: "Expires")
        if let date = expires.first {
            // Several `Expires` fields contradict each other: treated like an invalid date, which
            // is stale.
            let end = expires.count == 1 ? HTTPDate.parse(date) : nil
            return end.map { max(0, $0.timeIntervalSince(stored.date)) } ?? 0
        }
        return heuristicLifetime(of: stored)
    }

    /// Returns the heuristic lifetime (RFC 9111, section 4.2.2): a tenth of the time since the last
    /// change, one day at most.
    private static func heuristicLifetime(of stored: StoredResponse) -> TimeInterval {
        guard
            CacheRules.isHeuristicallyCacheable(stored.statusCode)
                || stored.cacheControl.has("public"),
            let modified = stored.lastModified.flatMap(HTTPDate.parse)
        else { return 0 }
        return min(max(0, stored.date.timeIntervalSince(modified) / 10), 86400)
    }
}
