import MoyaCore

/// Number of retries and waits before them, for transfers whose network fails or whose server is
/// overloaded.
public struct TransferRetry: Sendable, Equatable {
    /// Number of consecutive retries, after a first failed attempt, that may bring less than 16 KiB
    /// of new bytes together. After that, the transfer throws the last attempt's error. A response
    /// that ends before its requested range counts as a failed attempt if it brings less than
    /// 16 KiB. With 0 or less, the first failed attempt throws.
    public var maximumRetries: Int
    /// Waits between attempts. If the server asks for a longer wait than
    /// `Backoff.maximumRetryAfter`, the transfer throws the error of that response.
    public var backoff: Backoff

    /// Creates a retry policy. By default four retries, with waits of at most 0.5, 1, 2 and 4
    /// seconds.
    public init(maximumRetries: Int = 4, backoff: Backoff = Backoff()) {
        self.maximumRetries = maximumRetries
        self.backoff = backoff
    }

    /// Counts the failed attempts and the progress of one transfer.
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

        /// Waits before the next attempt.
        ///
        /// - Throws: `error` if no retries are left, the server asks for too long a wait, or the
        ///   wait would exceed the task's deadline; `CancellationError`.
        mutating func wait(after error: MoyaError, by clock: any MoyaClock) async throws {
            failures += 1
            let retryAfter = error.response?.head?.retryAfter(at: clock.now)
            guard failures <= retry.maximumRetries,
                let seconds = retry.backoff.wait(
                    beforeRetry: failures, retryAfter: retryAfter, clock: clock),
                seconds < RequestDeadline.current?.remaining ?? .infinity
            else { throw error }
            try await clock.sleep(for: seconds)
        }
    }
}
