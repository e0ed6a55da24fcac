/// Counts the connections of a download, and lowers their limit where a server refuses one. No I/O.
struct ConnectionLimit: Sendable {
    private(set) var most = 1
    private var count = 0

    init(most: Int = 1) { self.most = most }

    /// Counts one more connection, if the limit allows it.
    mutating func open() -> Bool {
        guard count < most else { return false }
        count += 1
        return true
    }

    mutating func close() { count -= 1 }

    /// Closes a connection that the server refuses, and lowers the limit to the others. `false` for the last connection,
    /// which stays.
    mutating func closeRefused() -> Bool {
        guard count > 1 else { return false }
        count -= 1
        most = count
        return true
    }
}
