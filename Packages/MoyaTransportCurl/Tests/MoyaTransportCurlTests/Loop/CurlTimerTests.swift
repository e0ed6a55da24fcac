import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The timer of the multi handle, without libcurl. Times are in nanoseconds.
@Suite struct CurlTimerTests {
    @Test func `libcurl's timer is due once, the requested time after the clock's current time`() {
        var timer = CurlTimer()
        #expect(timer.due == nil)
        #expect(timer.take(.max) == false)
        // The clock was last read at 1,000 and has gone on to 5,000 since.
        timer.set(milliseconds: 2, lastNow: 1000, clock: { 5000 })
        #expect(timer.due == 2_005_000)
        #expect(timer.take(2_004_999) == false)
        #expect(timer.take(2_005_000) == true)
        #expect(timer.take(.max) == false)
    }

    @Test func `a libcurl timer of 0 is due at once, without a reading of the clock`() {
        var timer = CurlTimer()
        timer.set(milliseconds: 0, lastNow: 1000, clock: { .max })
        #expect(timer.take(1000) == true)
    }

    @Test func `a new libcurl timer replaces the earlier one, and a negative one removes it`() {
        var timer = CurlTimer()
        timer.set(milliseconds: 1, lastNow: 0, clock: { 0 })
        timer.set(milliseconds: 3, lastNow: 0, clock: { 0 })
        #expect(timer.take(1_000_000) == false)
        #expect(timer.due == 3_000_000)
        timer.set(milliseconds: -1, lastNow: 0, clock: { 0 })
        #expect(timer.due == nil)
    }

    /// `Int.max` milliseconds in nanoseconds would overflow.
    @Test func `a libcurl timer of any length does not overflow`() {
        var timer = CurlTimer()
        timer.set(milliseconds: .max, lastNow: 0, clock: { 1 })
        #expect(timer.due == 1_000_000_000_000_001)
    }
}
