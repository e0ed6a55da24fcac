import Foundation
import MoyaCore
import MoyaInternals

/// How often and how soon a transfer is tried again after the network has failed or the server was busy.
public struct TransferRetry: Sendable, Equatable {
    /// How many attempts in a row may bring less than 16 KiB of new bytes together before the last one's error is the
    /// caller's. An answer to a request for more that brings fewer is an attempt like one that fails. With 1 or less,
    /// nothing is tried again.
    public var attempts: Int
    /// Seconds before the first repetition. Twice as many before each one that follows. Chance takes up to half of
    /// them away, so that clients that failed together do not come back together.
    public var delay: TimeInterval
    /// The most seconds between two attempts, unless the server asks for more.
    public var maximumDelay: TimeInterval
    /// The most seconds a server may ask for with `Retry-After`. The answer that asks for more is the error.
    public var maximumRetryAfter: TimeInterval

    /// Unless you say otherwise: five attempts, with half a second, one, two and four in between at most.
    public init(
        attempts: Int = 5, delay: TimeInterval = 0.5, maximumDelay: TimeInterval = 30,
        maximumRetryAfter: TimeInterval = 60
    ) {
        self.attempts = attempts
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// What is left of the attempts, without any I/O.
    struct Budget {
        let retry: TransferRetry
        private(set) var failures = 0
        /// The most bytes that the other side ever had. To send or fetch again what it had before is no progress,
        /// however often that begins.
        private var furthest: Int64
        /// New bytes since failures were last forgotten.
        private var progress: Int64 = 0

        /// An attempt that brings fewer new bytes than this counts like one that fails: a server that hands out one byte
        /// at a time would be asked without end.
        static let minimumProgress: Int64 = 16 << 10

        /// - Parameter offset: How many bytes are there before the first attempt.
        init(_ retry: TransferRetry, at offset: Int64 = 0) {
            self.retry = retry
            furthest = offset
        }

        /// Takes note of how many bytes are there after an attempt. Failures before do not count any more once there are
        /// enough new bytes. Returns how many of them are new.
        @discardableResult
        mutating func reached(_ offset: Int64) -> Int64 {
            let count = max(0, offset - furthest)
            furthest += count
            progress += count
            if progress >= Self.minimumProgress { (failures, progress) = (0, 0) }
            return count
        }

        /// Seconds until the next attempt. `nil` if there is none, or only after the longest wait allowed.
        ///
        /// - Parameter chance: From 0 to 1, drawn where it is `nil`. Of many clients that failed together, not all come back
        ///   together.
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
    /// Waits until the next attempt.
    ///
    /// - Throws: `error` where no attempt is left, or the server asks for too long a wait; `CancellationError`.
    mutating func wait(after error: MoyaError, by clock: any MoyaClock) async throws {
        guard let seconds = pause(retryAfter: error.response?.head?.retryAfter(at: clock.now))
        else { throw error }
        try await clock.sleep(for: seconds)
    }
}
