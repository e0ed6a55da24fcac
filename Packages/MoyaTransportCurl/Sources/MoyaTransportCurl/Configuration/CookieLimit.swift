#if CURL
/// How many cookies are kept, of all sites (RFC 6265, section 6.1).
enum CookieLimit {
    static let total = 3000

    /// Those that stay, in their order. The site that has the most gives up its oldest, so that no site can have the cookies of
    /// others driven out, nor one host those of another: both may stand below a suffix like `co.uk`.
    static func apply(to cookies: [NetscapeCookie]) -> [NetscapeCookie] {
        guard cookies.count > total else { return cookies }
        let kept = shared(Array(cookies.indices), total, by: { cookies[$0].site }) { site, limit in
            shared(site, limit, by: { cookies[$0].domain }) { $0.suffix($1) }
        }
        return kept.map { cookies[$0] }
    }

    /// `limit` of the places in a list, in order, which each group has as many of as any other that wants them.
    private static func shared(
        _ places: [Int], _ limit: Int, by group: (Int) -> String,
        trimmed: ([Int], Int) -> [Int]
    ) -> [Int] {
        guard places.count > limit else { return places }
        let groups = Dictionary(grouping: places, by: group).values
        let share = share(of: groups.map(\.count), limit)
        // libcurl lists the cookies of a site from the oldest to the newest.
        return groups.flatMap { trimmed($0, share) }.sorted().suffix(limit)
    }

    /// How many each may have, so that all have as many as there may be.
    private static func share(of counts: [Int], _ limit: Int) -> Int {
        var (left, others) = (limit, counts.count)
        for count in counts.sorted() {
            if count > left / others { return max(1, left / others) }
            left -= count
            others -= 1
        }
        return limit
    }
}
#endif
