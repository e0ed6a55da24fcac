#if CURL
// Versions: all.
// Test: CookieExpiryTests.
// Without them: nothing.

import CMoyaCurl
import Foundation
import MoyaInternals

/// The expiry time of a received cookie that libcurl reads differently from RFC 6265, section
/// 5.1.1.
///
/// libcurl takes the year 70 for 2070, ignores dates before 1970, and honours time zones. It cannot
/// parse quotes and unknown words. Servers use such dates to delete cookies.
struct CookieExpiry {
    /// Identifies the cookie by name and value: the response does not show which path libcurl has
    /// stored it for.
    let key: String
    private let host: String
    private let isSecure: Bool
    private let date: Date

    /// Parses a header line. `nil` if it sets no cookie with such a date.
    init?(_ line: UnsafeRawBufferPointer, from url: URL) {
        let field = String(decoding: line, as: UTF8.self)
        guard let colon = field.utf8.firstIndex(of: UInt8(ascii: ":")),
            field[..<colon].lowercased() == "set-cookie", let host = url.host
        else { return nil }
        let parts = field[colon...].dropFirst().split(separator: ";").map(Self.pair)
        let attributes = parts.dropFirst()
        guard let cookie = parts.first,
            !attributes.contains(where: { $0.name.lowercased() == "max-age" }),
            let text = attributes.last(where: { $0.name.lowercased() == "expires" })?.value,
            let date = CookieDate.parse(text),
            date.timeIntervalSince1970 < 0
                || date.timeIntervalSince1970 != TimeInterval(curl_getdate(text, nil))
        else { return nil }
        key = cookie.name + "\t" + cookie.value
        self.host = host.lowercased()
        isSecure = url.scheme?.lowercased() == "https"
        self.date = date
    }

    /// The key of a stored cookie.
    static func key(of cookie: NetscapeCookie) -> String {
        "\(cookie.fields[5])\t\(cookie.fields[6])"
    }

    private static func pair(_ text: Substring) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }

    /// Returns `cookie` with this expiry time. `nil` for a cookie of another host, and for a secure
    /// cookie, which a response without TLS must not change.
    func corrected(_ cookie: NetscapeCookie) -> NetscapeCookie? {
        let isForHost =
            host == cookie.domain
            || cookie.fields[1] == "TRUE" && host.hasSuffix("." + cookie.domain)
        guard isForHost, isSecure || cookie.fields[3] != "TRUE" else { return nil }
        var cookie = cookie
        // 0 would make it a session cookie.
        cookie.fields[4] = "\(Int64(max(1, date.timeIntervalSince1970)))"
        return cookie
    }
}
#endif
