import Foundation

/// A point in time in the Gregorian calendar, in UTC. Faster than `DateFormatter` and independent
/// of locales.
public struct CivilTime: Sendable {
    /// The year.
    public let year: Int
    /// The month, from 1.
    let month: Int
    /// The day of the month, from 1.
    let day: Int
    let secondOfDay: Int
    /// Days since 1970-01-01.
    let daysSinceEpoch: Int

    /// Converts `date`, rounded down to a second.
    public init(_ date: Date) {
        // Limits the date to a range that exceeds every valid header field and cannot overflow.
        let time = date.timeIntervalSince1970.rounded(.down)
        let seconds = time.isNaN ? 0 : Int64(min(max(time, -6e10), 2.5e11))
        let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        daysSinceEpoch = Int(days)
        secondOfDay = Int(seconds - days * 86400)
        // Years that begin in March have the leap day at the end, and the calendar repeats after
        // 400 years.
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

    /// Returns the days from 1970-01-01 to a date.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// Returns the time of day: `08:49:37` with the separator `:`.
    public func clock(separator: String) -> String {
        [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
    }

    /// The year, with at least four digits.
    var fourDigitYear: String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Returns the date: `1994-11-06` with the separator `-`.
    public func date(separator: String) -> String {
        ([fourDigitYear]
            + [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }).joined(separator: separator)
    }
}
