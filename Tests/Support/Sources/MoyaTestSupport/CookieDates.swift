import Foundation

/// Dates of cookies, and what RFC 6265, section 5.1.1, makes of them.
///
/// Written from the section's grammar and steps. The forms are those of the tests that the
/// http-state working group published with the RFC.
public enum CookieDates {
    /// A text, and its date in ISO 8601. `nil` if the section's algorithm fails.
    public typealias Sample = (text: String, date: String?)

    /// Dates in the future.
    public static let future: [Sample] = [
        ("Sun, 06 Nov 2067 08:49:37 GMT", "2067-11-06T08:49:37Z"),
        ("Sunday, 06-Nov-67 08:49:37 GMT", "2067-11-06T08:49:37Z"),
        ("Sun Nov  6 08:49:37 2067", "2067-11-06T08:49:37Z"),
        // One digit for the day, the hour, the minute and the second.
        ("Sun, 6 Nov 2067 8:49:37 GMT", "2067-11-06T08:49:37Z"),
        ("Sun,  6-Nov-2067 8:9:7 GMT", "2067-11-06T08:09:07Z"),
        ("Sun, 06-Nov-67 0:0:00 GMT", "2067-11-06T00:00:00Z"),
        // No weekday, another one, no time zone, and other texts that are not read.
        ("6-nov-67 08:49:37", "2067-11-06T08:49:37Z"),
        (", 6-Nov-2067 08:49:37 GMT", "2067-11-06T08:49:37Z"),
        ("Partyday  ,  06-NOV-67   08:49:37", "2067-11-06T08:49:37Z"),
        ("Sun, 06-Nov-67 08:49:37 (as agreed)", "2067-11-06T08:49:37Z"),
        ("Sun, 06-Nov-67 later: 08:49:37", "2067-11-06T08:49:37Z"),
        // Time zones are not read: all dates are UTC.
        ("Sun, 06 Nov 2067 08:49:37 GMT-0500 (EST)", "2067-11-06T08:49:37Z"),
        ("Sun, 06-Nov-67 08:49:37 -0400", "2067-11-06T08:49:37Z"),
        ("Sun, 06 Nov 2067 08:49:37 GMT+2", "2067-11-06T08:49:37Z"),
        ("Sun, 06 Nov 2067 08:49:37 PST", "2067-11-06T08:49:37Z"),
        // Quotes, other delimiters, the names of months, and characters after a number.
        ("\"Sun, 06-Nov-67 08:49:37 GMT\"", "2067-11-06T08:49:37Z"),
        ("\"Sun, 06-Nov-67\\\"08:49:37\\\"GMT\"", "2067-11-06T08:49:37Z"),
        ("Sun, 06/Nov\\2067 08:49:37 GMT", "2067-11-06T08:49:37Z"),
        ("Sun, 06 - Novem-67 08:49:37", "2067-11-06T08:49:37Z"),
        ("6th November 2067, 08:49:37h", "2067-11-06T08:49:37Z"),
        // In any order. Of two times or numbers, the first counts.
        ("08:49:37 Sun Nov 06 2067 GMT", "2067-11-06T08:49:37Z"),
        ("Sun Nov 06 2067 GMT 08:49:37", "2067-11-06T08:49:37Z"),
        ("Sun, 06 Nov 08:49:37 2067 GMT", "2067-11-06T08:49:37Z"),
        ("2067 November 06 08:49:37", "2067-11-06T08:49:37Z"),
        ("06 67 Nov 08:49:37", "2067-11-06T08:49:37Z"),
        ("Sun, 06-Nov-67 08:49:37 11:22:33 2068", "2067-11-06T08:49:37Z"),
        // The last year of this century without a century, a leap day, and a distant year.
        ("Sun, 06-Nov-69 08:49:37 GMT", "2069-11-06T08:49:37Z"),
        ("Wed, 29 Feb 2068 23:59:59 GMT", "2068-02-29T23:59:59Z"),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
    ]

    /// Dates in the past, which delete a cookie.
    public static let past: [Sample] = [
        ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ("Thu, 01-Jan-70 00:00:01 GMT", "1970-01-01T00:00:01Z"),
        ("Thu, 1-Jan-70 0:0:0 GMT", "1970-01-01T00:00:00Z"),
        ("Fri, 31-Dec-71 23:59:59 GMT", "1971-12-31T23:59:59Z"),
        ("Thu, 31-Dec-99 23:59:59 GMT", "1999-12-31T23:59:59Z"),
        ("Sat, 01-Jan-00 00:00:00 GMT", "2000-01-01T00:00:00Z"),
        ("15 Apr 17 21:01:22", "2017-04-15T21:01:22Z"),
        ("\"Sat, 15-Apr-17 21:01:22 GMT-2\"", "2017-04-15T21:01:22Z"),
        ("Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"),
        ("Mon, 01-Jan-1601 00:00:00 GMT", "1601-01-01T00:00:00Z"),
    ]

    /// Invalid dates, so that the attribute is ignored.
    public static let invalid: [Sample] = [
        ("", nil), ("never", nil), ("0", nil), ("-1", nil), ("Sun, 06 Nov 2067", nil),
        ("Sun, 06 Nov 08:49:37 GMT", nil), ("Sun, Nov 2067 08:49:37 GMT", nil),
        ("Sun, 06 Nvo 2067 08:49:37 GMT", nil), ("Sun, 00 Nov 2067 08:49:37 GMT", nil),
        ("Sun, 31 Nov 2067 08:49:37 GMT", nil), ("Tue, 29 Feb 2067 08:49:37 GMT", nil),
        ("Sun, 06 Nov 2067 24:00:00 GMT", nil), ("Sun, 06 Nov 2067 08:60:00 GMT", nil),
        ("Sun, 06 Nov 2067 08:49:60 GMT", nil), ("Sun, 06 Nov 2067 91:22:33 08:49:37", nil),
        ("Sun, 06 Nov 2067 08: 49:37 GMT", nil), ("Sun, 06 Nov 2067 08:49 GMT", nil),
        ("Sun, 006-Nov-2067 08:49:37 GMT", nil), ("Sun, 06-Nov-20670 08:49:37 GMT", nil),
        ("Sun, 06-Nov-7 08:49:37 GMT", nil), ("98 November 17 08:49:37", nil),
        ("Sun, 31 Dec 1600 23:59:59 GMT", nil),
        ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", nil),
    ]

    /// Parses the date of a sample with Foundation.
    public static func date(_ text: String?) throws -> Date? {
        try text.map { try Date($0, strategy: .iso8601) }
    }
}
