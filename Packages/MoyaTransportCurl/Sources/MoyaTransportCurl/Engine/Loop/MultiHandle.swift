#if CURL
import CMoyaCurl

/// libcurl's multi handle, which owns the connections, and its timer.
struct MultiHandle {
    /// `nil` after it was given up (`giveUpMulti(_:)`), until the next transfer starts.
    var raw: UnsafeMutableRawPointer?
    /// When libcurl's timer is due, in nanoseconds of ``LoopClock``. `nil` if it is not set.
    var timer: UInt64?
    /// Outlives the handle.
    unowned(unsafe) let options: OptionCheck

    init(_ options: OptionCheck) { self.options = options }

    func set(_ option: CURLMoption, _ value: Int) throws(CurlError) {
        try check(option, moya_multi_set_long(raw, option, max(0, value)))
    }

    func set(_ option: CURLMoption, pointer: UnsafeMutableRawPointer) throws(CurlError) {
        try check(option, moya_multi_set_pointer(raw, option, pointer))
    }

    func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        try options.check(option, code)
    }

    /// Sets libcurl's timer, or removes it if `milliseconds` is negative.
    ///
    /// - Parameters:
    ///   - lastNow: The clock's time when it was last read.
    ///   - clock: Reads the clock.
    mutating func setTimer(
        milliseconds: Int, lastNow: UInt64, clock: () -> UInt64 = LoopClock.now
    ) {
        switch milliseconds {
        case ..<0: timer = nil
        case 0: timer = lastNow
        default:
            // Counted from the current time: libcurl 8.10 and 8.11.0 do not set the timer again if
            // it fires too early.
            timer = clock() + UInt64(min(milliseconds, 1_000_000_000)) * 1_000_000
        }
    }

    /// Whether the timer is due. Resets it if so.
    mutating func takeTimer(_ now: UInt64) -> Bool {
        guard let timer, timer <= now else { return false }
        self.timer = nil
        return true
    }
}
#endif
