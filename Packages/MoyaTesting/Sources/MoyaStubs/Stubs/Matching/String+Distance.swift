extension String {
    /// How unlike another text this one is: 0 for the same, 1 for nothing in common. By the number of characters that
    /// have to be put in, taken out or replaced.
    func distance(to other: String) -> Double {
        // Longer texts are not compared by eye either, and the time grows with the square.
        let left = Array(prefix(200))
        let right = Array(other.prefix(200))
        guard !left.isEmpty, !right.isEmpty else { return left.count == right.count ? 0 : 1 }
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in right.enumerated() {
                let replaced = diagonal + (character == candidate ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return Double(row[right.count]) / Double(Swift.max(left.count, right.count))
    }
}
