#if CURL
/// A handle that a ``HandlePool`` keeps for reuse.
protocol PooledHandle: AnyObject {
    /// Index among the active handles. Set by the pool.
    var index: Int { get set }
    /// Whether the handle must not be reused.
    var isSpent: Bool { get }
    /// Removes the state of the last transfer.
    func clear()
}

/// A loop's handles: the active ones, and idle ones for reuse.
struct HandlePool<Handle: PooledHandle> {
    /// The number of idle handles that are always kept. Each holds a few KiB. Under load, as many
    /// are kept as are active: creating a handle for each request costs time and fragments memory.
    private static var leastIdle: Int { 256 }

    private(set) var active: [Handle] = []
    private(set) var idle: [Handle] = []

    /// Takes the handle that was given back last. `nil` if none is idle.
    mutating func takeIdle() -> Handle? { idle.popLast() }

    /// Adds `handle` to the active handles.
    mutating func activate(_ handle: Handle) {
        handle.index = active.count
        active.append(handle)
    }

    /// Removes `handle` from the active handles.
    mutating func end(_ handle: Handle) {
        let last = active.removeLast()
        guard last !== handle else { return }
        active[handle.index] = last
        last.index = handle.index
    }

    /// Keeps `handle` for reuse, unless it must not be used again or enough are idle.
    mutating func giveBack(_ handle: Handle) {
        handle.clear()
        if handle.isSpent { return }
        idle.append(handle)
        while idle.count > max(Self.leastIdle, active.count) { idle.removeLast() }
    }

    /// Closes the idle handles.
    mutating func removeIdle() { idle = [] }
}

extension HandlePool<CurlHandle> {
    /// The running attempts.
    var attempts: [Attempt] { active.compactMap(\.attempt) }
}
#endif
