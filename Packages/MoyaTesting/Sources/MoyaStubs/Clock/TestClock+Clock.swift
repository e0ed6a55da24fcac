import Foundation

extension TestClock {
    /// This clock as a Swift `Clock`.
    public var asClock: AsClock { AsClock(clock: self) }

    /// A ``TestClock`` as a Swift `Clock`.
    public struct AsClock: Clock {
        let clock: TestClock

        /// An instant: the time since the test clock was created.
        public struct Instant: InstantProtocol {
            let elapsed: Duration

            /// Returns the instant that is `duration` later.
            public func advanced(by duration: Duration) -> Instant {
                Instant(elapsed: elapsed + duration)
            }

            /// Returns the time from this instant to `other`.
            public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

            /// Whether `lhs` is earlier than `rhs`.
            public static func < (lhs: Instant, rhs: Instant) -> Bool {
                lhs.elapsed < rhs.elapsed
            }
        }

        /// The current instant of the test clock.
        public var now: Instant { Instant(elapsed: .seconds(clock.uptime)) }
        /// One nanosecond.
        public var minimumResolution: Duration { .nanoseconds(1) }

        /// Suspends until the test clock is advanced to `deadline`.
        ///
        /// - Throws: `CancellationError` as soon as the task is cancelled.
        public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try await clock.sleep(until: deadline.elapsed.inSeconds)
        }
    }
}

extension Duration {
    fileprivate var inSeconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}
