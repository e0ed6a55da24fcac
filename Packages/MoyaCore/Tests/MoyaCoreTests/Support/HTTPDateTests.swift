import Foundation
import MoyaCore
import MoyaInternals
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `HTTPDate parses all three formats of an HTTP date`(text: String) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT",
    ])
    func `HTTPDate returns nil for an invalid date`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
    func `HTTPDate writes a date as IMF-fixdate and parses the written date`(
        seconds: TimeInterval, text: String
    ) {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test func `HTTPDate reads a two-digit year far in the future as a past year`() {
        let date = HTTPDate.parse("Sunday, 06-Nov-99 08:49:37 GMT")
        #expect(date.map { CivilTime($0).year } == 1999)
    }

    @Test func `HTTPDate formats distant and infinite dates without crashing`() {
        #expect(HTTPDate.format(.distantFuture) == "Mon, 01 Jan 4001 00:00:00 GMT")
        // Dates out of this range are cut to it.
        for time in [-6e10, -.infinity, Date.distantPast.timeIntervalSince1970] {
            let text = HTTPDate.format(Date(timeIntervalSince1970: time))
            #expect(text == "Mon, 03 Sep 0068 13:20:00 GMT")
            #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: -6e10))
        }
        let last = HTTPDate.format(Date(timeIntervalSince1970: .infinity))
        #expect(HTTPDate.parse(last) == Date(timeIntervalSince1970: 2.5e11))
    }
}
