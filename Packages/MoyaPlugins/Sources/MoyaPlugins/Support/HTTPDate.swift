import Foundation

/// Dates in header fields (RFC 9110, section 5.6.7): the three forms that are in use.
enum HTTPDate {
    /// The date of `text`, or `nil` if it is none.
    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // The day's first digit may be a space in the oldest form, and in no other.
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

    /// `date` in the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func format(_ date: Date) -> String {
        let parts = CivilTime(date)
        let weekday = weekdays[(parts.daysSinceEpoch % 7 + 11) % 7]
        let day = parts.day < 10 ? "0\(parts.day)" : "\(parts.day)"
        return "\(weekday), \(day) \(months[parts.month - 1]) \(parts.year) "
            + "\(parts.clock(separator: ":")) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sunday, 06-Nov-94 08:49:37 GMT`. A year that looks more than fifty years ahead is past.
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
        let days = CivilTime.days(year: year, month: month + 1, day: day)
        return Date(
            timeIntervalSince1970: TimeInterval(
                days * 86400 + hour * 3600 + minute * 60 + second))
    }

    /// Exactly so many digits.
    private static func number(_ text: String, digits: Int) -> Int? {
        let isNumber =
            text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) : nil
    }
}

/// A moment in the Gregorian calendar, UTC. Formatters cost more and listen to locales.
struct CivilTime {
    var year: Int
    var month: Int
    var day: Int
    var secondOfDay: Int
    var daysSinceEpoch: Int

    init(_ date: Date) {
        // Far beyond what any header field can say, and safe to calculate with.
        let time = date.timeIntervalSince1970.rounded(.down)
        let seconds = time.isNaN ? 0 : Int64(min(max(time, -6e10), 2.5e11))
        let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        daysSinceEpoch = Int(days)
        secondOfDay = Int(seconds - days * 86400)
        // Years that begin in March put the leap day last, eras of 400 years repeat.
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The time of day: `08:49:37` with a colon.
    func clock(separator: String) -> String {
        [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
    }

    /// The day: `1994-11-06` with a hyphen.
    func date(separator: String) -> String {
        let digits = String(year)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return
            ([padded]
            + [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }).joined(separator: separator)
    }
}
