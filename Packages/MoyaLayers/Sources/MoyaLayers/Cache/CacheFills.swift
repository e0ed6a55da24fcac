import MoyaInternals

/// Requests in flight whose responses may be stored.
///
/// A request that changes a resource invalidates the fills of its key: their responses may predate
/// the change.
final class CacheFills: Sendable {
    struct Fill: Sendable {
        let key: String
        /// Number of invalidations before it began.
        fileprivate let start: Int
    }

    private struct State {
        var inFlightCount = 0
        var invalidationCount = 0
        /// Number of the last invalidation of each key, as long as fills are in flight.
        var invalidations: [String: Int] = [:]
        /// Fills that began before this invalidation may not be stored, whatever their key.
        var oldest = 0
    }

    private let state = Locked(State())

    func begin(_ key: String) -> Fill {
        state.withLock { state in
            state.inFlightCount += 1
            return Fill(key: key, start: state.invalidationCount)
        }
    }

    func end(_ fill: Fill) {
        state.withLock { state in
            state.inFlightCount -= 1
            if state.inFlightCount == 0, !state.invalidations.isEmpty { state.invalidations = [:] }
        }
    }

    /// Keeps requests already in flight for `key` from storing their responses.
    func invalidate(_ key: String) {
        state.withLock { state in
            guard state.inFlightCount > 0 else { return }
            state.invalidationCount += 1
            // Bounded, because fills may be in flight all the time.
            if state.invalidations.count >= 1000 {
                state.invalidations = [:]
                state.oldest = state.invalidationCount
            }
            state.invalidations[key] = state.invalidationCount
        }
    }

    /// Whether the response of `fill`, which has not ended, may still be stored.
    func isCurrent(_ fill: Fill) -> Bool {
        state.withLock { $0.oldest <= fill.start && $0.invalidations[fill.key] ?? 0 <= fill.start }
    }
}
