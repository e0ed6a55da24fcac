extension AsyncSequence {
    /// Reads the sequence to its end and returns all elements.
    public func collected() async throws -> [Element] {
        var all: [Element] = []
        for try await element in self { all.append(element) }
        return all
    }
}
