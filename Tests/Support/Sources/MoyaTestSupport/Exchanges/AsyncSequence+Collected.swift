extension AsyncSequence {
    /// All elements, once the sequence has ended.
    public func collected() async throws -> [Element] {
        var all: [Element] = []
        for try await element in self { all.append(element) }
        return all
    }
}
