#if CURL
import Foundation
import MoyaCore

/// A cookie as a line of a cookie file in Netscape's format: seven fields separated by tabs.
struct NetscapeCookie {
    static let httpOnlyMark = "#HttpOnly_"
    let line: String

    /// Parses a line. `nil` if it does not have seven fields.
    init?(_ line: String) {
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7 else { return nil }
        guard fields[2].isEmpty else {
            self.line = line
            return
        }
        // The server sent no path. libcurl then uses "/", but cannot read a line whose path field
        // is empty.
        fields[2] = "/"
        self.line = fields.joined(separator: "\t")
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
            if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                let text = "A cookie's \(name) contains a control character. Remove it."
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

    /// Seconds since 1970, from 1 to the end of the year 9999. 0 would make it a session cookie.
    /// NaN becomes 1, which has expired.
    private static func seconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970
        return seconds.isNaN ? 1 : Int64(min(max(seconds, 1), latestExpiry))
    }

    /// The end of the year 9999.
    private static let latestExpiry: TimeInterval = 253_402_300_799

    /// The last two labels of the domain: libcurl groups cookies by them. For an IP address, the
    /// whole address.
    var site: String {
        let domain = domain
        return ProxyEnvironment.isAddress(domain)
            ? domain : domain.split(separator: ".").suffix(2).joined(separator: ".")
    }

    /// The cookie's domain in lowercase, without a leading dot.
    var domain: String {
        var domain = line.prefix { $0 != "\t" }
        if domain.hasPrefix(Self.httpOnlyMark) {
            domain = domain.dropFirst(Self.httpOnlyMark.count)
        }
        return domain.drop { $0 == "." }.lowercased()
    }

    /// Expiry time, in seconds since 1970. 0 for a session cookie.
    var expiry: TimeInterval {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return min(TimeInterval(fields[4]) ?? 0, Self.latestExpiry)
    }

    /// Whether it has expired.
    var isExpired: Bool { expiry != 0 && expiry <= Date().timeIntervalSince1970 }

    /// Domain, path and name, which together are unique (RFC 6265, section 5.3).
    var identity: [Substring] {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return [Substring(domain), fields[2], fields[5]]
    }

    /// The cookie for Foundation. `nil` if Foundation rejects its properties.
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
