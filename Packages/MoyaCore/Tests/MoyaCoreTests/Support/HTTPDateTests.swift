import Foundation
@_spi(MoyaInternals) import MoyaCore
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `the three forms of a date are the same moment`(text: String) {
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
    func `what is no date is none`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
    func `a date is written in the preferred form and read again`(
        seconds: TimeInterval, text: String
    ) {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test func `a year of two digits that seems far ahead is past`() {
        let date = HTTPDate.parse("Sunday, 06-Nov-99 08:49:37 GMT")
        #expect(date.map { CivilTime($0).year } == 1999)
    }

    @Test func `dates that no calendar knows do no harm`() {
        _ = HTTPDate.format(.distantFuture)
        _ = HTTPDate.format(.distantPast)
        _ = HTTPDate.format(Date(timeIntervalSince1970: .infinity))
    }
}
