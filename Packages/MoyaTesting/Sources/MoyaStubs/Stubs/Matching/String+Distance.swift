extension String {
    /// Levenshtein distance to `other`, divided by the length of the longer text: 0 for equal
    /// texts, 1 for completely different texts. Compares the first 200 characters.
    func distance(to other: String) -> Double {
        // Limits the cost, which grows with the product of the two lengths.
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
