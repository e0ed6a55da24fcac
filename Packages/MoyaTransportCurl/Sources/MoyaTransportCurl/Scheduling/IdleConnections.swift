#if CURL
/// Which idle connections have to be closed, and when. libcurl has them; see `CurlDriver+Idle.swift`.
struct IdleConnections {
    /// How many may stay.
    let limit: Int
    /// How long after its last transfer one is too old, in nanoseconds. `nil` where none is kept.
    private let allowance: UInt64?
    /// When one may have been idle for too long.
    private(set) var due = UInt64.max
    /// Number of connections that have been closed.
    private(set) var closedCount = 0
    /// Whether transfers need the descriptors of all of them.
    var mustClose = false
    /// Whether one that may be broken is among them.
    var hasBroken = false

    /// - Parameter seconds: How long one is kept. libcurl counts whole seconds that are over.
    init(limit: Int, keptFor seconds: Int?) {
        self.limit = limit
        // A little more, as libcurl looks at its clock a little later.
        allowance = seconds.map { UInt64($0) * 1_000_000_000 + 1_100_000_000 }
    }

    /// A connection may be idle since then.
    mutating func noteIdle(since time: UInt64) {
        if let allowance { due = time + allowance }
    }

    /// Whether it is time to have libcurl look for connections that have been idle for too long.
    mutating func takeDue(_ now: UInt64) -> Bool {
        guard due <= now else { return false }
        due = .max
        return true
    }

    mutating func noteClosed() { closedCount += 1 }

    /// Whether all of them have to be closed, once.
    mutating func takeMustClose() -> Bool {
        defer { mustClose = false }
        return mustClose
    }

    /// Whether a broken one has to be closed, once.
    mutating func takeBroken() -> Bool {
        defer { hasBroken = false }
        return hasBroken
    }
}
#endif
