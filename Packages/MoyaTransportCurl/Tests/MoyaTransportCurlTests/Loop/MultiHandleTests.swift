import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The timer of the multi handle, without libcurl. Times are in nanoseconds.
@Suite struct MultiHandleTests {
    private let options = OptionCheck()

    @Test func `libcurl's timer is due once, the requested time after the clock's current time`() {
        var multi = MultiHandle(options)
        #expect(multi.timer == nil)
        #expect(multi.takeTimer(.max) == false)
        // The clock was last read at 1,000 and has gone on to 5,000 since.
        multi.setTimer(milliseconds: 2, lastNow: 1000, clock: { 5000 })
        #expect(multi.timer == 2_005_000)
        #expect(multi.takeTimer(2_004_999) == false)
        #expect(multi.takeTimer(2_005_000) == true)
        #expect(multi.takeTimer(.max) == false)
    }

    @Test func `a libcurl timer of 0 is due at once, without a reading of the clock`() {
        var multi = MultiHandle(options)
        multi.setTimer(milliseconds: 0, lastNow: 1000, clock: { .max })
        #expect(multi.takeTimer(1000) == true)
    }

    @Test func `a new libcurl timer replaces the earlier one, and a negative one removes it`() {
        var multi = MultiHandle(options)
        multi.setTimer(milliseconds: 1, lastNow: 0, clock: { 0 })
        multi.setTimer(milliseconds: 3, lastNow: 0, clock: { 0 })
        #expect(multi.takeTimer(1_000_000) == false)
        #expect(multi.timer == 3_000_000)
        multi.setTimer(milliseconds: -1, lastNow: 0, clock: { 0 })
        #expect(multi.timer == nil)
    }

    /// `Int.max` milliseconds in nanoseconds would overflow.
    @Test func `a libcurl timer of any length does not overflow`() {
        var multi = MultiHandle(options)
        multi.setTimer(milliseconds: .max, lastNow: 0, clock: { 1 })
        #expect(multi.timer == 1_000_000_000_000_001)
    }
}
