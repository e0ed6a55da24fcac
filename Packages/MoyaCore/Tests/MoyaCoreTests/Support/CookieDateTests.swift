import Foundation
import MoyaInternals
import MoyaTestSupport
import Testing

// Oracle: RFC 6265, section 5.1.1.
@Suite struct CookieDateTests {
    @Test(arguments: CookieDates.future + CookieDates.past + CookieDates.invalid)
    func `CookieDate reads a cookie's date as RFC 6265 requires`(text: String, date: String?) throws
    {
        #expect(try CookieDate.parse(text) == CookieDates.date(date))
    }

    @Test func `CookieDate reads the years 00 to 69 as 20xx and 70 to 99 as 19xx`() {
        for year in 0...99 {
            let text = "01-Mar-\(year < 10 ? "0" : "")\(year) 00:00:00"
            let found = CookieDate.parse(text).map { CivilTime($0).year }
            #expect(found == (year < 70 ? 2000 : 1900) + year)
        }
    }
}
