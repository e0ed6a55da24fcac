#if CURL
import CMoyaCurl

/// libcurl's multi handle, which has the connections, and when it wants to be called.
struct MultiHandle {
    /// `nil` where it had to be given up, until the next transfer begins. See `giveUpMulti(_:)`.
    var raw: UnsafeMutableRawPointer?
    /// When libcurl wants to be called without an event. `nil` is never.
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
        let code = options.result(of: option, code)
        guard code == CURLM_OK else { throw CurlError(code) }
    }

    /// libcurl wants to be called in `milliseconds`, or not at all where that is negative.
    mutating func setTimer(milliseconds: Int, now: UInt64) {
        switch milliseconds {
        case ..<0: timer = nil
        case 0: timer = now
        default:
            // From the real time: libcurl 8.10 and 8.11.0 do not ask again for a timeout that comes too early.
            timer = LoopClock.now() + UInt64(min(milliseconds, 1_000_000_000)) * 1_000_000
        }
    }

    /// Whether it is time to call libcurl, once.
    mutating func takeTimer(_ now: UInt64) -> Bool {
        guard let timer, timer <= now else { return false }
        self.timer = nil
        return true
    }
}
#endif
