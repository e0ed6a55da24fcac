/// Decides which transfers may take a connection, and in which order the rest waits.
///
/// A pure state machine. One host at its limit holds nobody else up: each has a queue of its own, and they
/// take turns at what becomes free.
struct Admission<Element> {
    /// How many may run. 0 is no limit.
    let total: Int
    /// How many may run for one origin. 0 is no limit.
    let perOrigin: Int

    private struct Origin {
        var running = 0
        var waiting: [Element] = []
        var first = 0

        var isEmpty: Bool { first == waiting.count }

        mutating func next() -> Element? {
            guard !isEmpty else { return nil }
            defer {
                first += 1
                // What has left is let go of in one sweep, so that leaving costs the same for any length.
                if first == waiting.count || first > 512 && first * 2 > waiting.count {
                    waiting.removeFirst(first)
                    first = 0
                }
            }
            return waiting[first]
        }
    }

    private(set) var waitingCount = 0
    private var running = 0
    private var origins: [String: Origin] = [:]
    /// The origins that have somebody waiting, in the order in which they take turns.
    private var turns: [String] = []

    init(total: Int, perOrigin: Int) {
        self.total = total
        self.perOrigin = perOrigin
    }

    var isLimited: Bool { total > 0 || perOrigin > 0 }

    /// Everybody who waits.
    var waiting: [Element] {
        turns.flatMap { origins[$0].map { Array($0.waiting[$0.first...]) } ?? [] }
    }

    /// Lets somebody run where nobody waits and only the total counts, for which it needs no name of an
    /// origin. Returns whether it may.
    mutating func enterFreely() -> Bool {
        guard perOrigin == 0, running < total, turns.isEmpty else { return false }
        running += 1
        return true
    }

    /// Lets `element` run, or has it wait. Returns whether it may run at once.
    mutating func enter(_ element: Element, for origin: String) -> Bool {
        var entry = origins[origin, default: Origin()]
        let isFree = (total == 0 || running < total) && hasRoom(entry)
        // Nobody overtakes those who wait for the same.
        if isFree, entry.isEmpty, total == 0 || turns.allSatisfy({ !canRun($0) }) {
            running += 1
            entry.running += 1
            origins[origin] = entry
            return true
        }
        waitingCount += 1
        if entry.isEmpty { turns.append(origin) }
        entry.waiting.append(element)
        origins[origin] = entry
        return false
    }

    /// Takes note that one of `origin` is done, or one that entered freely. Returns whoever may run now, with
    /// its origin.
    mutating func leave(_ origin: String?) -> (element: Element, origin: String)? {
        running -= 1
        if let origin {
            origins[origin]?.running -= 1
            if origins[origin].map({ $0.running == 0 && $0.isEmpty }) == true {
                origins[origin] = nil
            }
        }
        guard !turns.isEmpty, let turn = turns.firstIndex(where: canRun) else { return nil }
        let next = turns.remove(at: turn)
        guard let element = origins[next]?.next() else { return nil }
        waitingCount -= 1
        running += 1
        origins[next]?.running += 1
        if origins[next]?.isEmpty == false { turns.append(next) }
        return (element, next)
    }

    /// Lets go of everybody who waits for `origin`, for whom nobody has to make room any more.
    mutating func releaseWaiting(for origin: String) -> [Element] {
        guard let entry = origins[origin], !entry.isEmpty else { return [] }
        let released = Array(entry.waiting[entry.first...])
        keepWaiting([], for: origin)
        return released
    }

    /// Lets go of those who do not wait any more.
    mutating func removeWaiting(where isGone: (Element) -> Bool) {
        for origin in turns {
            guard let entry = origins[origin] else { continue }
            keepWaiting(entry.waiting[entry.first...].filter { !isGone($0) }, for: origin)
        }
    }

    private mutating func keepWaiting(_ waiting: [Element], for origin: String) {
        guard var entry = origins[origin] else { return }
        waitingCount -= entry.waiting.count - entry.first - waiting.count
        (entry.waiting, entry.first) = (waiting, 0)
        let isNeeded = !waiting.isEmpty || entry.running > 0
        origins[origin] = isNeeded ? entry : nil
        if waiting.isEmpty { turns.removeAll { $0 == origin } }
    }

    private func hasRoom(_ origin: Origin) -> Bool {
        perOrigin == 0 || origin.running < perOrigin
    }

    private func canRun(_ origin: String) -> Bool {
        origins[origin].map(hasRoom) ?? false
    }
}
