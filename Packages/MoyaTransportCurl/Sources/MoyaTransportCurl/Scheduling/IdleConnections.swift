#if CURL
/// Decides when libcurl has to close idle connections. libcurl owns them; see
/// `CurlDriver+Idle.swift`.
struct IdleConnections {
    /// The largest number of idle connections to keep.
    let limit: Int
    /// Nanoseconds after its last transfer at which a connection is too old. `nil` if none is kept.
    private let allowance: UInt64?
    /// When a connection may be too old, in nanoseconds of ``LoopClock``.
    private(set) var due = UInt64.max
    /// Number of connections closed so far.
    private(set) var closedCount = 0
    /// Whether all idle connections have to be closed, because transfers need their descriptors.
    var mustClose = false
    /// Whether an idle connection may be broken.
    var hasBroken = false
    /// Whether there may be more than ``limit``.
    var hasSurplus = false

    /// - Parameter seconds: How long an idle connection is kept. libcurl compares whole elapsed
    ///   seconds.
    init(limit: Int, keptFor seconds: Int?) {
        self.limit = limit
        // 1.1 seconds more, because libcurl rounds down and reads its clock slightly later.
        allowance = seconds.map { UInt64($0) * 1_000_000_000 + 1_100_000_000 }
    }

    /// Records that a connection may have become idle at `time`.
    mutating func noteIdle(since time: UInt64) {
        if let allowance { due = time + allowance }
    }

    /// Whether libcurl has to check now for connections that are too old. Resets the time.
    mutating func takeDue(_ now: UInt64) -> Bool {
        guard due <= now else { return false }
        due = .max
        return true
    }

    mutating func noteClosed() { closedCount += 1 }

    /// Whether all idle connections have to be closed. Resets the flag.
    mutating func takeMustClose() -> Bool { exchange(&mustClose, with: false) }

    /// Whether a broken idle connection has to be closed. Resets the flag.
    mutating func takeBroken() -> Bool { exchange(&hasBroken, with: false) }

    /// Whether connections above the limit have to be closed. Resets the flag.
    mutating func takeSurplus() -> Bool { exchange(&hasSurplus, with: false) }
}
#endif
