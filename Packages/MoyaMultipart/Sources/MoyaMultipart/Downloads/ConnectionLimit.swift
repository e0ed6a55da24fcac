/// Counts the connections of a download, and lowers their limit when the server refuses one. Does
/// no I/O.
struct ConnectionLimit: Sendable {
    private(set) var most: Int
    private var count = 0

    init(most: Int) { self.most = most }

    /// Counts another connection. Returns `false` if the limit is reached.
    mutating func open() -> Bool {
        guard count < most else { return false }
        count += 1
        return true
    }

    mutating func close() { count -= 1 }

    /// Uncounts a refused connection and lowers the limit to the number of remaining connections.
    /// Returns `false` for the only connection, which stays counted.
    mutating func closeRefused() -> Bool {
        guard count > 1 else { return false }
        count -= 1
        most = count
        return true
    }
}
