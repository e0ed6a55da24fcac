#if CURL
// Versions: before 8.14.0, and 8.16.0 and later.
// Test: LostWakesTests, LostWakesStateTests, ConnectionWaitTests.
// Without them: nothing.

/// When to look for requests that libcurl has forgotten while they wait inside it.
///
/// When a connection opens or a request ends, libcurl wakes one waiting request, even if that one
/// still has no connection, as those to an unreachable host (curl's pull request 18056). Requests
/// that could go on then wait for the next such event, which may never come.
struct LostWakes {
    /// Whether libcurl wakes a single one of the waiting transfers, even if it may not go on.
    static let arePossible = CurlLibrary.version < 0x080e00 || CurlLibrary.version >= 0x081000

    /// The least time that a request waits before it is woken, in nanoseconds.
    private static var interval: UInt64 { 250_000_000 }
    /// The most requests that are woken at a time.
    private static var most: Int { 64 }

    /// The next time to look, in nanoseconds of ``LoopClock``. `.max` while no request may wait.
    private(set) var due = UInt64.max
    /// When it looked last.
    private var lastLook: UInt64 = 0
    /// The hosts whose waiting requests libcurl has served since then.
    private var served: Set<String> = []

    /// A request begins, and may wait.
    mutating func noteBegin(_ now: UInt64) {
        if due == .max, Self.arePossible { due = now &+ Self.interval }
    }

    /// A request goes on that may have waited since `queued`.
    mutating func noteEnd(of host: @autoclosure () -> String, queued: UInt64) {
        if queued < lastLook { served.insert(host()) }
    }

    mutating func takeDue(_ now: UInt64) -> Bool {
        guard due <= now else { return false }
        due = .max
        return true
    }

    /// Whether a request has waited long enough to be looked at that was added to libcurl at
    /// `queued`.
    static func isDue(queued: UInt64, now: UInt64) -> Bool { now >= queued &+ interval }

    /// Whether to wake a request to a host whose connections are in use, which has waited since
    /// `begun`. Waking may move it behind others in libcurl's order, so each of its waits is twice
    /// as long as the one before.
    static func isOverdue(begun: UInt64, queued: UInt64, now: UInt64) -> Bool {
        now >= queued &+ max(interval, queued &- begun)
    }

    /// Whether libcurl has served `host` since the last look. Then it probably goes on with that.
    func isServed(_ host: String) -> Bool { served.contains(host) }

    /// Whether to wake a request to `host`, which has waited since `begun`, and since `queued` for
    /// the last time.
    func wakes(
        _ host: String, in state: HostStates.State, begun: UInt64, queued: UInt64, now: UInt64
    ) -> Bool {
        switch state {
        case .connecting: false
        case .unused: true
        case .inUse: Self.isOverdue(begun: begun, queued: queued, now: now) && !isServed(host)
        }
    }

    /// Ends a look at `count` waiting requests. With many of them, the next look is later, because
    /// it takes longer.
    mutating func noteLook(at count: Int, now: UInt64) {
        (lastLook, served) = (now, [])
        if count > 0 { due = now &+ max(Self.interval, UInt64(count) * 100_000) }
    }

    /// The waiting attempts to wake: removed from libcurl and added again, each begins with looking
    /// for a connection.
    mutating func look(
        at waiting: [Attempt], in hosts: () -> HostStates, _ keys: HostKeys, now: UInt64
    ) -> ArraySlice<Attempt> {
        defer { noteLook(at: waiting.count, now: now) }
        let due = waiting.filter { Self.isDue(queued: $0.times.queued, now: now) }
        return due.isEmpty ? [] : mayGoOn(due, in: hosts(), keys, now: now)
    }

    /// Of the waiting `attempts`, those to wake, in the order in which they were added to libcurl.
    /// First those to hosts without a connection in use, which may surely go on.
    private func mayGoOn(
        _ attempts: [Attempt], in hosts: HostStates, _ keys: HostKeys, now: UInt64
    ) -> ArraySlice<Attempt> {
        var (sure, others): ([Attempt], [Attempt]) = ([], [])
        for attempt in attempts {
            let host = keys.key(for: attempt.url)
            let (state, times) = (hosts.state(of: host), attempt.times)
            guard wakes(host, in: state, begun: times.submitted, queued: times.queued, now: now)
            else { continue }
            if state == .unused { sure.append(attempt) } else { others.append(attempt) }
        }
        return [sure, others].flatMap { $0.sorted { $0.times.queued < $1.times.queued } }
            .prefix(Self.most)
    }
}
#endif
