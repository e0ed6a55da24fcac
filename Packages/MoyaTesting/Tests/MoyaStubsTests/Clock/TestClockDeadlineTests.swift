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

    @Test
    func `A timeout of a test clock that moves by itself lasts until sleeps have advanced it`()
        async throws
    {
        let clock = TestClock(movesByItself: true)
        let timeout = Task { try await clock.timeout(after: 5) }
        await clock.waitForSleepers()
        try await clock.sleep(for: 4)
        #expect(clock.sleeperCount == 1)
        try await clock.sleep(for: 1)
        try await timeout.value
    }
}
