#if CURL
/// A loop's easy handles: the active ones, and idle ones for reuse.
struct HandlePool {
    /// The number of idle handles that are always kept. Each holds a few KiB. Under load, as many
    /// are kept as are active: creating a handle for each request costs time and fragments memory.
    private static let leastIdle = 256

    private(set) var active: [CurlHandle] = []
    private(set) var idle: [CurlHandle] = []

    /// The running attempts.
    var attempts: [Attempt] { active.compactMap(\.attempt) }

    /// Returns an idle or new handle. `nil` if there is no memory.
    mutating func take(_ context: HandleContext) -> CurlHandle? {
        idle.popLast() ?? CurlHandle(context)
    }

    /// Adds `handle` to the active handles.
    mutating func begin(_ handle: CurlHandle) {
        handle.index = active.count
        active.append(handle)
    }

    /// Removes `handle` from the active handles.
    mutating func end(_ handle: CurlHandle) {
        let last = active.removeLast()
        guard last !== handle else { return }
        active[handle.index] = last
        last.index = handle.index
    }

    /// Keeps `handle` for reuse, unless it must not be used again or enough are idle.
    mutating func giveBack(_ handle: CurlHandle) {
        handle.clear()
        if handle.isSpent { return }
        idle.append(handle)
        while idle.count > max(Self.leastIdle, active.count) { idle.removeLast() }
    }

    /// Closes the idle handles.
    mutating func removeIdle() { idle = [] }
}

extension CurlHandle {
    /// The attempt that the handle carries.
    var attempt: Attempt? { client as? Attempt }
}
#endif
