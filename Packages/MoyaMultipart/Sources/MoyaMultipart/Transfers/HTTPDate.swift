import Foundation

/// Dates in header fields (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// As senders write them today, and the two ways in which they did.
    private static let formats = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
        "EEE MMM d HH:mm:ss yyyy",
    ]

    /// The date of `text`, or `nil` if it is none.
    static func parse(_ text: String) -> Date? {
        // The oldest one has a space in place of the day's first digit.
        let text = text.replacingOccurrences(of: "  ", with: " ")
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formats.lazy.compactMap { format in
            formatter.dateFormat = format
            return formatter.date(from: text)
        }.first
    }
}
