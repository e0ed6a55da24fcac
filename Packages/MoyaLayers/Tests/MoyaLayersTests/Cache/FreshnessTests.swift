import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaLayers

/// How long a response without `max-age` is fresh (RFC 9111, section 4.2).
@Suite struct FreshnessTests {
    private static let received = Date(timeIntervalSince1970: 1_800_000_000)

    /// A date that is `seconds` after the response's, as a field's value.
    private static func date(_ seconds: TimeInterval) -> String {
        HTTPDate.format(received.addingTimeInterval(seconds))
    }

    private func lifetime(_ fields: [(String, String)], status: Int = 200) -> TimeInterval {
        let stored = StoredResponse(
            statusCode: status, url: url("http://host.test/"), httpVersion: "HTTP/1.1",
            fields: fields.map { HeaderField(name: $0.0, value: $0.1) }, body: Data(),
            requestTime: Self.received, responseTime: Self.received, selectors: [:])
        return Freshness(stored, now: Self.received).lifetime
    }

    @Test func `a response with one valid Expires field is fresh until that date`() {
        #expect(lifetime([("Expires", Self.date(90))]) == 90)
        #expect(lifetime([("Date", Self.date(-30)), ("Expires", Self.date(90))]) == 120)
        #expect(lifetime([("Expires", Self.date(-90))]) == 0)
        #expect(lifetime([("Cache-Control", "max-age=5"), ("Expires", Self.date(90))]) == 5)
    }

    @Test func `a response with an invalid Expires field or two of them is stale`() {
        #expect(lifetime([("Expires", "0"), ("Last-Modified", Self.date(-5_000))]) == 0)
        #expect(lifetime([("Expires", Self.date(90)), ("Expires", Self.date(90))]) == 0)
    }

    @Test
    func `a response with Last-Modified alone is fresh for a tenth of its age, at most a day`() {
        #expect(lifetime([("Last-Modified", Self.date(-5_000))]) == 500)
        #expect(lifetime([("Last-Modified", Self.date(-5_000_000))]) == 86_400)
        #expect(lifetime([("Last-Modified", Self.date(5_000))]) == 0)
        #expect(lifetime([("Last-Modified", Self.date(-5_000))], status: 201) == 0)
        #expect(lifetime([]) == 0)
    }
}
