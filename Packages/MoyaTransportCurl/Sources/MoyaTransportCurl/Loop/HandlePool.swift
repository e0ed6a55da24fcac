#if CURL
/// The easy handles of a loop: those that carry transfers, and those kept for the next ones.
struct HandlePool {
    /// How many handles are kept for reuse whatever there is to do. Each holds a few KiB. Under load there may be
    /// as many as are in use: to make them anew for each request costs time, and leaves the memory in pieces.
    private static let leastIdle = 256

    private(set) var active: [CurlHandle] = []
    private(set) var idle: [CurlHandle] = []

    /// The attempts under way.
    var attempts: [Attempt] { active.compactMap(\.attempt) }

    /// A handle without a transfer. `nil` when the memory is used up.
    mutating func take(_ context: HandleContext) -> CurlHandle? {
        idle.popLast() ?? CurlHandle(context)
    }

    /// `handle` has begun to carry a transfer.
    mutating func begin(_ handle: CurlHandle) {
        handle.index = active.count
        active.append(handle)
    }

    /// `handle` does not carry its transfer any more.
    mutating func end(_ handle: CurlHandle) {
        let last = active.removeLast()
        guard last !== handle else { return }
        active[handle.index] = last
        last.index = handle.index
    }

    /// Keeps `handle` for another transfer, unless it can carry none or there are enough.
    mutating func giveBack(_ handle: CurlHandle) {
        handle.clear()
        if handle.isSpent { return }
        idle.append(handle)
        while idle.count > max(Self.leastIdle, active.count) { idle.removeLast() }
    }

    /// Closes those that carry no transfer.
    mutating func removeIdle() { idle = [] }
}

extension CurlHandle {
    /// What it carries.
    var attempt: Attempt? { client as? Attempt }
}
#endif
