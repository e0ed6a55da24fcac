#if CURL
import Foundation
import MoyaCore

/// A cookie as a line of a cookie file: seven fields between tabs.
struct NetscapeCookie {
    static let httpOnlyMark = "#HttpOnly_"
    let line: String

    /// `nil` for what is no such line.
    init?(_ line: String) {
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7 else { return nil }
        guard fields[2].isEmpty else {
            self.line = line
            return
        }
        // As the server said. libcurl takes it for this one, and would miss a field in the line.
        fields[2] = "/"
        self.line = fields.joined(separator: "\t")
    }

    /// - Throws: Where a line cannot hold the cookie: a tab or the end of a line in it would make other fields, or
    ///   another cookie.
    init(_ cookie: HTTPCookie) throws(URLError) {
        let texts = [
            ("name", cookie.name), ("value", cookie.value), ("domain", cookie.domain),
            ("path", cookie.path),
        ]
        for (name, text) in texts {
            if text.isEmpty, name != "value" {
                throw URLError(.unknown, "A cookie's \(name) is empty.", url: nil)
            }
            if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                let text = "A cookie's \(name) holds a control character. Remove it."
                throw URLError(.unknown, text, url: nil)
            }
        }
        let includesSubdomains = cookie.domain.hasPrefix(".")
        let expiry = cookie.expiresDate.map(Self.seconds) ?? 0
        line = [
            (cookie.isHTTPOnly ? Self.httpOnlyMark : "") + cookie.domain,
            includesSubdomains ? "TRUE" : "FALSE", cookie.path,
            cookie.isSecure ? "TRUE" : "FALSE", "\(expiry)", cookie.name, cookie.value,
        ].joined(separator: "\t")
    }

    /// Seconds since 1970, within what calendars have. 0 would be with the session.
    private static func seconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970
        return seconds.isNaN ? 1 : Int64(min(max(seconds, 1), latestExpiry))
    }

    /// The end of the year 9999.
    private static let latestExpiry: TimeInterval = 253_402_300_799

    /// The last two labels of its domain. libcurl keeps the cookies of these together. All of an address.
    var site: String {
        let domain = domain
        return ProxyEnvironment.isAddress(domain)
            ? domain : domain.split(separator: ".").suffix(2).joined(separator: ".")
    }

    /// The host that it is for, or all of whose hosts: as the server wrote it, but for the case.
    var domain: String {
        var domain = line.prefix { $0 != "\t" }
        if domain.hasPrefix(Self.httpOnlyMark) {
            domain = domain.dropFirst(Self.httpOnlyMark.count)
        }
        return domain.drop { $0 == "." }.lowercased()
    }

    /// When it expires, in seconds since 1970. 0 is with the session.
    var expiry: TimeInterval {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return min(TimeInterval(fields[4]) ?? 0, Self.latestExpiry)
    }

    var cookie: HTTPCookie? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let isHTTPOnly = fields[0].hasPrefix(Self.httpOnlyMark)
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: isHTTPOnly ? String(fields[0].dropFirst(Self.httpOnlyMark.count)) : fields[0],
            .path: fields[2], .name: fields[5], .value: fields[6],
        ]
        if fields[3] == "TRUE" { properties[.secure] = "TRUE" }
        if expiry > 0 { properties[.expires] = Date(timeIntervalSince1970: expiry) }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}
#endif
