/// How many connections a download has, and how many it may have, without any I/O.
struct Lanes: Sendable {
    private(set) var most = 1
    private var count = 0

    init(most: Int = 1) { self.most = most }

    /// Takes one more, if there may be one.
    mutating func open() -> Bool {
        guard count < most else { return false }
        count += 1
        return true
    }

    mutating func close() { count -= 1 }

    /// Closes one that the server refuses, and allows no more than the others from then on. `false` where there are no
    /// others: the last one stays.
    mutating func giveUp() -> Bool {
        guard count > 1 else { return false }
        count -= 1
        most = count
        return true
    }
}
