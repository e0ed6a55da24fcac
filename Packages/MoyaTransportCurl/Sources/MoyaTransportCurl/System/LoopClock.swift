#if CURL
import Foundation

/// The clock of the loops.
enum LoopClock {
    /// Nanoseconds since some fixed time.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// `seconds` as nanoseconds. `nil` for what is no bound: zero, less, or centuries.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64? {
        seconds > 0 && seconds < 1e9 ? UInt64(seconds * 1e9) : nil
    }
}
#endif
