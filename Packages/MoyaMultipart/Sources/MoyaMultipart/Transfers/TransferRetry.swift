import Foundation
import MoyaCore
import MoyaInternals

/// Number of attempts and delays between them, for transfers whose network fails or whose server is
/// overloaded.
public struct TransferRetry: Sendable, Equatable {
    /// Number of consecutive attempts that may bring less than 16 KiB of new bytes together. After
    /// that, the transfer throws the last attempt's error. A response that ends before its
    /// requested range counts as a failed attempt if it brings less than 16 KiB. With 1 or less, no
    /// attempt is repeated.
    public var attempts: Int
    /// Delay before the first repetition, in seconds. The delay doubles for each further
    /// repetition. A random share of up to half is subtracted, so that clients that failed at the
    /// same time do not retry at the same time.
    public var delay: TimeInterval
    /// Longest delay between two attempts, in seconds. A longer `Retry-After` takes precedence.
    public var maximumDelay: TimeInterval
    /// Longest `Retry-After` to wait for, in seconds. If the server requests a longer delay, the
    /// transfer throws the error of that response.
    public var maximumRetryAfter: TimeInterval

    /// Creates a retry policy. By default five attempts, with delays of at most 0.5, 1, 2 and 4
    /// seconds.
    public init(
        attempts: Int = 5, delay: TimeInterval = 0.5, maximumDelay: TimeInterval = 30,
        maximumRetryAfter: TimeInterval = 60
    ) {
        self.attempts = attempts
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Remaining attempts. Does no I/O.
    struct Budget {
        let retry: TransferRetry
        private(set) var failures = 0
        /// Highest offset reached so far. Bytes sent or received a second time do not count as
        /// progress, however often the transfer starts again.
        private var furthest: Int64
        /// New bytes since `failures` was last reset.
        private var progress: Int64 = 0

        /// Minimum number of new bytes of a successful attempt. Without a minimum, a server that
        /// delivers one byte per request would receive requests forever.
        static let minimumProgress: Int64 = 16 << 10

        /// - Parameter offset: Number of bytes present before the first attempt.
        init(_ retry: TransferRetry, at offset: Int64 = 0) {
            self.retry = retry
            furthest = offset
        }

        /// Records the number of bytes present after an attempt, and resets the failures after
        /// ``minimumProgress`` new bytes. Returns the number of new bytes.
        @discardableResult
        mutating func reached(_ offset: Int64) -> Int64 {
            let count = max(0, offset - furthest)
            furthest += count
            progress += count
            if progress >= Self.minimumProgress { (failures, progress) = (0, 0) }
            return count
        }

        /// Returns the seconds until the next attempt. `nil` if no attempts are left, or if
        /// `retryAfter` exceeds the maximum.
        ///
        /// - Parameter chance: Random number from 0 to 1 that varies the delay. `nil` generates
        ///   one.
        mutating func pause(
            retryAfter: TimeInterval? = nil, chance: Double? = nil
        ) -> TimeInterval? {
            failures += 1
            var generator = PauseGenerator()
            let chance = chance ?? .random(in: 0...1, using: &generator)
            let asked = retryAfter ?? 0
            guard failures < retry.attempts, asked <= retry.maximumRetryAfter else { return nil }
            let longest = min(
                retry.maximumDelay, retry.delay * pow(2, Double(min(failures, 32) - 1)))
            return max(0, longest * (0.5 + chance / 2), asked)
        }
    }
}

extension TransferRetry.Budget {
    /// Waits before the next attempt.
    ///
    /// - Throws: `error` if no attempts are left or the server requests too long a delay;
    ///   `CancellationError`.
    mutating func wait(after error: MoyaError, by clock: any MoyaClock) async throws {
        guard let seconds = pause(retryAfter: error.response?.head?.retryAfter(at: clock.now))
        else { throw error }
        try await clock.sleep(for: seconds)
    }
}
