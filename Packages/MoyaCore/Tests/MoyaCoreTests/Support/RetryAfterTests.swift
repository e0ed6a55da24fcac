import Foundation
import MoyaCore
import Testing

@Suite struct RetryAfterTests {
    /// 08:49:37 on the 6th of November 1994.
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func wait(_ values: String...) -> TimeInterval? {
        ResponseHead(
            statusCode: 503, url: url("http://host.test"),
            fields: values.map { HeaderField(name: "Retry-After", value: $0) }
        ).retryAfter(at: now)
    }

    @Test(arguments: [
        ("0", 0), ("43", 43), ("99999999999999999999", 2_147_483_647),
        ("Sun, 06 Nov 1994 08:50:20 GMT", 43), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
    ])
    func `Retry-After is read as a number of seconds or a date`(
        value: String, seconds: TimeInterval
    ) {
        #expect(wait(value) == seconds)
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "1e3", " 5", "5 "])
    func `an invalid Retry-After is ignored`(value: String) {
        #expect(wait(value) == nil)
    }

    @Test
    func `the first of several Retry-After fields sets the delay, which is nil without a field`() {
        #expect(wait("43", "44") == 43)
        #expect(wait() == nil)
    }
}
