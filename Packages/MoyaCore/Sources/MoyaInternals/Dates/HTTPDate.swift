import Foundation

/// Dates in header fields (RFC 9110, section 5.6.7), in the preferred and both obsolete formats.
public enum HTTPDate {
    /// Parses `text` in any of the three formats. `nil` if it is not a date.
    public static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // Only the `asctime` format permits a space as the first digit of the day.
        if words.count == 6, words[2].isEmpty {
            return words[3].count == 1 ? date("0" + words[3], words[1], words[5], words[4]) : nil
        }
        return switch (words.count, words.last?.uppercased()) {
        case (6, "GMT") where words[0].hasSuffix(","):
            date(words[1], words[2], words[3], words[4])
        case (4, "GMT") where words[0].hasSuffix(","): obsolete(words)
        case (5, _) where !words[0].hasSuffix(","): date(words[2], words[1], words[4], words[3])
        default: nil
        }
    }

    /// Formats `date` in the preferred format: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func format(_ date: Date) -> String {
        let parts = CivilTime(date)
        let weekday = weekdays[(parts.daysSinceEpoch % 7 + 11) % 7]
        let day = parts.day < 10 ? "0\(parts.day)" : "\(parts.day)"
        return "\(weekday), \(day) \(months[parts.month - 1]) \(parts.fourDigitYear) "
            + "\(parts.clock(separator: ":")) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`. A year more than 50 years in the future is
    /// interpreted as 100 years earlier.
    private static func obsolete(_ words: [String]) -> Date? {
        let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 3, let year = number(parts[2], digits: 2) else { return nil }
        let thisYear = CivilTime(Date()).year
        let century = thisYear - thisYear % 100
        let full = century + year > thisYear + 50 ? century + year - 100 : century + year
        return date(parts[0], parts[1], String(full), words[2])
    }

    private static func date(
        _ day: String, _ month: String, _ year: String, _ time: String
    ) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
            .map { number(String($0), digits: 2) }
        guard let day = number(day, digits: 2), (1...31).contains(day),
            let year = number(year, digits: 4), year > 0,
            let month = months.firstIndex(of: month.capitalized),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        // Not `Int`, which has 32 bits on some watches.
        let days = TimeInterval(CivilTime.days(year: year, month: month + 1, day: day))
        let clockTime = TimeInterval(hour * 3600 + minute * 60 + second)
        return Date(timeIntervalSince1970: days * 86400 + clockTime)
    }

    /// Returns the number in `text`, which must have exactly `digits` digits.
    private static func number(_ text: String, digits: Int) -> Int? {
        let isNumber =
            text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) : nil
    }
}
