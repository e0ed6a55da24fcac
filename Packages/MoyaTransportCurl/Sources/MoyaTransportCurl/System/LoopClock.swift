#if CURL
import Foundation

/// The loops' monotonic clock.
enum LoopClock {
    /// Nanoseconds since an arbitrary fixed time.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Converts `seconds` to nanoseconds. `nil`, meaning no timeout, for 0, negative and non-finite
    /// values, and from 1e9 on.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64? {
        seconds > 0 && seconds < 1e9 ? UInt64(seconds * 1e9) : nil
    }
}
#endif
