import Foundation

/// Dates of a cookie's `Expires` attribute (RFC 6265, section 5.1.1), in any of the forms that
/// servers send.
public enum CookieDate {
    /// Parses `text`. `nil` if the section's algorithm fails.
    public static func parse(_ text: String) -> Date? {
        var (clock, day, month, year): (Clock?, Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if clock == nil, let found = Clock(token) {
                clock = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let second = clock?.secondOfDay, let day, let month, let year, year >= 1601 else {
            return nil
        }
        let first = CivilTime.days(year: year, month: month, day: 1)
        let end = CivilTime.days(
            year: month < 12 ? year : year + 1, month: month < 12 ? month + 1 : 1, day: 1)
        guard (1...end - first).contains(day) else { return nil }
        // Not `Int`, which has 32 bits on some watches.
        let days = TimeInterval(first + day - 1)
        return Date(timeIntervalSince1970: days * 86400 + TimeInterval(second))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private typealias Token = Substring.UTF8View

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the number that `token` begins with. `nil` unless `digits` contains its length.
    private static func number(_ token: Token, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix(while: isDigit)
        return digits.contains(number.count) ? Int(String(decoding: number, as: UTF8.self)) : nil
    }

    /// Time of day, which may be out of range: `8:49:37`.
    private struct Clock {
        private let fields: [Int]

        /// `nil` if `token` does not begin with a time.
        init?(_ token: Token) {
            let parts = token.split(
                separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            fields = parts.compactMap { number($0, digits: 1...2) }
            // Only the last field may be followed by other characters.
            guard fields.count == 3, parts.dropLast().joined().allSatisfy(isDigit) else {
                return nil
            }
        }

        var secondOfDay: Int? {
            guard fields[0] < 24, fields[1] < 60, fields[2] < 60 else { return nil }
            return fields[0] * 3600 + fields[1] * 60 + fields[2]
        }
    }

    /// Returns the month, from 1, whose first three letters `token` begins with.
    private static func month(_ token: Token) -> Int? {
        let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
