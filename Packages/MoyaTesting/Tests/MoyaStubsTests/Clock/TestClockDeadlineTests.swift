import Foundation
import Testing

@testable import MoyaStubs

@Suite struct TestClockDeadlineTests {
    @Test func `A sleep until an uptime of an advanced test clock lasts the remaining seconds`()
        async throws
    {
        let clock = TestClock(movesByItself: true)
        clock.advance(by: 5)
        try await clock.sleep(until: 8)
        #expect(clock.sleeps == [3])
        #expect(clock.uptime == 8)
    }
}
