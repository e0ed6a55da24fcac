import Foundation

/// Those who wait for their turn, in the order in which they came, without any I/O.
///
/// The first one alone knows when its turn is. The others move up when one before them goes or leaves, so no turn is
/// anybody's who may not take it.
struct TurnQueue: Sendable {
    typealias Answer = CheckedContinuation<Void, any Error>

    /// What the first one does.
    enum Step {
        /// Go, and tell the one who is first now.
        case go(next: Answer?)
        /// Ask again after so many seconds.
        case wait(TimeInterval)
        /// So many seconds would be too many.
        case refuse(TimeInterval)
    }

    /// What somebody who comes does.
    enum Entry {
        case isFirst, wait, refuse(TimeInterval)
    }

    private struct Waiter {
        let id: UUID
        /// Tells that it is the first. `nil` once it has been told.
        var answer: Answer?
    }

    private var bucket: TokenBucket
    private var waiters: [Waiter] = []
    private var blockedUntil: TimeInterval = 0

    init(_ bucket: TokenBucket) {
        self.bucket = bucket
    }

    var waitingCount: Int { waiters.count }

    /// Lets nobody go before `time`.
    mutating func block(until time: TimeInterval) {
        blockedUntil = max(blockedUntil, time)
    }

    /// Lets somebody queue up who waits until `end` at the longest.
    mutating func enter(
        _ id: UUID, _ answer: Answer, now: TimeInterval, end: TimeInterval
    ) -> Entry {
        let isFirst = waiters.isEmpty
        // With nobody waiting, the time until now was silence.
        if isFirst { bucket.fill(until: now) }
        let turn = bucket.turn(after: waiters.count, notBefore: blockedUntil)
        guard turn <= end else { return .refuse(turn - now) }
        waiters.append(Waiter(id: id, answer: isFirst ? nil : answer))
        return isFirst ? .isFirst : .wait
    }

    /// What the first one does, who waits until `end` at the longest.
    mutating func step(now: TimeInterval, end: TimeInterval) -> Step {
        let turn = bucket.turn(after: 0, notBefore: blockedUntil)
        // A sum of fractions may be a little more than the time it stands for.
        guard turn > now + 1e-6 else {
            bucket.take(at: turn)
            return .go(next: removeFirst())
        }
        return turn <= end ? .wait(turn - now) : .refuse(turn - now)
    }

    /// Takes the first one out. Returns whom to tell that it is first now.
    mutating func removeFirst() -> Answer? {
        waiters.removeFirst()
        guard !waiters.isEmpty else { return nil }
        defer { waiters[0].answer = nil }
        return waiters[0].answer
    }

    /// Takes one out who is not the first. Returns whom to tell that it has left: `nil` where it was the first or gone.
    mutating func remove(_ id: UUID) -> Answer? {
        guard let index = waiters.firstIndex(where: { $0.id == id && $0.answer != nil }) else {
            return nil
        }
        return waiters.remove(at: index).answer
    }
}
