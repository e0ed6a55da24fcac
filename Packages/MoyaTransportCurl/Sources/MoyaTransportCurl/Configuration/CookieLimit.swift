#if CURL
/// Limits the number of cookies of all sites (RFC 6265, section 6.1).
enum CookieLimit {
    static let total = 3000

    /// Returns the lines of a cookie file to load, in their order. libcurl compares each cookie
    /// that it adds with all others of the site, so many more than ``total`` would take minutes.
    static func newest(of lines: [String]) -> [String] {
        guard lines.count > total else { return lines }
        var (cookies, others) = ([NetscapeCookie](), [String]())
        for line in lines {
            // A line may lack its last field, an empty value.
            if let cookie = NetscapeCookie(line) ?? NetscapeCookie(line + "\t") {
                cookies.append(cookie)
            } else {
                others.append(line)
            }
        }
        var known: Set<[Substring]> = []
        // A later cookie replaces an earlier one.
        let last = cookies.reversed().filter { !$0.isExpired && known.insert($0.identity).inserted }
        return apply(to: last.reversed()).map(\.line) + others.suffix(total)
    }

    /// Returns the cookies to keep, in their order. The site with the most cookies loses its oldest
    /// ones first, and within that site the host with the most. So a site cannot evict the cookies
    /// of other sites, and a host cannot evict those of other hosts below a suffix such as `co.uk`.
    static func apply(to cookies: [NetscapeCookie]) -> [NetscapeCookie] {
        guard cookies.count > total else { return cookies }
        let kept = shared(Array(cookies.indices), total, by: { cookies[$0].site }) { site, limit in
            shared(site, limit, by: { cookies[$0].domain }) { $0.suffix($1) }
        }
        return kept.map { cookies[$0] }
    }

    /// Returns `limit` of `places`, in order. Each group keeps an equal share, and groups with
    /// fewer elements leave the rest of their share to the others.
    private static func shared(
        _ places: [Int], _ limit: Int, by group: (Int) -> String,
        trimmed: ([Int], Int) -> [Int]
    ) -> [Int] {
        guard places.count > limit else { return places }
        let groups = Dictionary(grouping: places, by: group).values
        let share = share(of: groups.map(\.count), limit)
        // libcurl lists a site's cookies from the oldest to the newest.
        return groups.flatMap { trimmed($0, share) }.sorted().suffix(limit)
    }

    /// The largest share for which the groups together have at most `limit` elements.
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
