#if CURL
import MoyaCore

/// A cookie as a line of a cookie file in Netscape's format: seven fields separated by tabs.
struct NetscapeCookie {
    static let httpOnlyMark = "#HttpOnly_"
    var fields: [Substring]

    /// Parses a line. `nil` if it does not have seven fields.
    init?(_ line: String) {
        fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7 else { return nil }
        // The server sent no path. libcurl then uses "/", but cannot read a line whose path field
        // is empty.
        if fields[2].isEmpty { fields[2] = "/" }
    }

    /// Formats a cookie as a line.
    ///
    /// - Throws: `URLError(.unknown)` if the name, domain or path is empty, or if a text has a
    ///   control character: a tab or line break would change the fields or add a cookie.
    init(_ cookie: HTTPCookie) throws(URLError) {
        let texts = [
            ("name", cookie.name), ("value", cookie.value), ("domain", cookie.domain),
            ("path", cookie.path),
        ]
        for (name, text) in texts {
            if text.isEmpty, name != "value" {
                throw URLError(.unknown, "A cookie's \(name) is empty.", url: nil)
            }
            if RequestValidation.hasControlCharacter(text) {
                let text = "A cookie's \(name) contains a control character. Remove it."
                throw URLError(.unknown, text, url: nil)
            }
        }
        // From 1 on, because 0 would make it a session cookie. NaN becomes 1, which has expired.
        let expiry = cookie.expiresDate.map {
            Int64(max(1, min($0.timeIntervalSince1970, Self.latestExpiry)))
        }
        let words = [
            (cookie.isHTTPOnly ? Self.httpOnlyMark : "") + cookie.domain,
            cookie.domain.hasPrefix(".") ? "TRUE" : "FALSE", cookie.path,
            cookie.isSecure ? "TRUE" : "FALSE", "\(expiry ?? 0)", cookie.name, cookie.value,
        ]
        fields = words.map { Substring($0) }
    }

    /// The end of the year 9999, in seconds since 1970.
    private static let latestExpiry: TimeInterval = 253_402_300_799

    var line: String { fields.joined(separator: "\t") }

    /// The last two labels of the domain: libcurl groups cookies by them. For an IP address, the
    /// whole address.
    var site: String {
        let domain = domain
        return ProxyEnvironment.isAddress(domain)
            ? domain : domain.split(separator: ".").suffix(2).joined(separator: ".")
    }

    private var isHTTPOnly: Bool { fields[0].hasPrefix(Self.httpOnlyMark) }
    private var host: Substring { fields[0].dropFirst(isHTTPOnly ? Self.httpOnlyMark.count : 0) }

    /// The cookie's domain in lowercase, without a leading dot.
    var domain: String { host.drop { $0 == "." }.lowercased() }

    /// Expiry time, in seconds since 1970. 0 for a session cookie.
    var expiry: TimeInterval { min(TimeInterval(fields[4]) ?? 0, Self.latestExpiry) }

    /// Whether it has expired.
    var isExpired: Bool { expiry != 0 && expiry <= Date().timeIntervalSince1970 }

    /// Domain, path and name, which together are unique (RFC 6265, section 5.3).
    var identity: [Substring] { [Substring(domain), fields[2], fields[5]] }

    /// The cookie for Foundation. `nil` if Foundation rejects its properties.
    var cookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: String(host), .path: String(fields[2]), .name: String(fields[5]),
            .value: String(fields[6]),
        ]
        if fields[3] == "TRUE" { properties[.secure] = "TRUE" }
        if expiry > 0 { properties[.expires] = Date(timeIntervalSince1970: expiry) }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}

/// Limits the number of cookies of all sites (RFC 6265, section 6.1).
enum CookieLimit {
    static let total = 3000

    /// Returns the lines of a cookie file to load, in their order. libcurl compares each cookie
    /// that it adds with all others of the site, so many more than ``total`` would take minutes.
    static func newest(of lines: [String]) -> [String] {
        guard lines.count > total else { return lines }
        // A line may lack its last field, an empty value.
        let cookies = lines.map { NetscapeCookie($0) ?? NetscapeCookie($0 + "\t") }
        let others = zip(lines, cookies).filter { $0.1 == nil }.map(\.0)
        var known: Set<[Substring]> = []
        // A later cookie replaces an earlier one.
        let last = cookies.reversed().compactMap(\.self).filter {
            !$0.isExpired && known.insert($0.identity).inserted
        }
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

/// Reads and validates the file that cookies are loaded from and saved to.
///
/// libcurl treats an unreadable file as empty and skips lines that are not cookies. The next save
/// replaces the whole file and would lose them, so the file is checked before it is loaded.
enum CookieFile {
    typealias Failure = CurlTransport.ConfigurationError

    /// Size limit in bytes: ``CookieLimit/total`` lines of the greatest length. A larger file is
    /// not a cookie file, and must not fill the memory.
    private static let largestSize = 16 << 20
    /// libcurl ignores longer lines.
    private static let longestLine = 4998

    /// Returns the lines with cookies of a file of cookies and comments. Empty if no file exists.
    static func lines(of url: URL) throws(Failure) -> [String] {
        guard url.isFileURL else {
            throw Failure(
                "The cookie file's URL is \(Redaction.default.redact(url: url)). It needs a file "
                    + "URL: URL(fileURLWithPath:).")
        }
        let path = url.path
        // Opens without blocking, so that a FIFO without a writer cannot hang the caller.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return [] }
        func unreadable(_ reason: String) -> Failure {
            Failure("The cookie file \(path) cannot be read: \(reason)")
        }
        guard descriptor >= 0 else { throw unreadable(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure("The cookie file \(path) is not a regular file. Pass another path.")
        }
        guard status.st_size <= largestSize else {
            throw Failure(
                "The cookie file \(path) has \(status.st_size) bytes, and is larger than "
                    + "\(largestSize >> 20) MiB. Pass another path.")
        }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw unreadable(error.localizedDescription)
        }
        var (cookies, number, rest) = ([String](), 0, data[...])
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = String(
                String(decoding: rest[..<end], as: UTF8.self).drop { " \t".contains($0) })
            rest = rest[end...].dropFirst()
            number += 1
            if isComment(line) { continue }
            guard isCookie(line) else {
                throw Failure(
                    "Line \(number) of the cookie file \(path) is not a cookie in Netscape's "
                        + "format. Correct the line, or pass another path.")
            }
            if line.utf8.count <= longestLine { cookies.append(line) }
        }
        return cookies
    }

    /// Whether `line` can be saved: a line that ``lines(of:)`` would reject must not be written,
    /// whatever the server sent.
    static func mayHold(_ line: String) -> Bool {
        line.utf8.count <= longestLine && (isComment(line) || isCookie(line))
    }

    /// Whether `line` is a comment, or empty.
    private static func isComment(_ line: String) -> Bool {
        line.allSatisfy(\.isWhitespace)
            || line.utf8.first == UInt8(ascii: "#") && !line.hasPrefix(NetscapeCookie.httpOnlyMark)
    }

    /// Whether `line` is a cookie that libcurl parses.
    private static func isCookie(_ line: String) -> Bool {
        if line.lowercased().hasPrefix("set-cookie:") { return true }
        // The value, the last field, may be empty.
        let fields = line.split(separator: "\t")
        return (6...7).contains(fields.count) && isTruth(fields[1]) && isTruth(fields[3])
            && Int64(fields[4]) != nil
    }

    private static func isTruth(_ field: Substring) -> Bool {
        ["true", "false"].contains(field.lowercased())
    }
}
#endif
