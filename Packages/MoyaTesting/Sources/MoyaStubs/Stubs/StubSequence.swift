/// What becomes of stubs that have all been used.
public enum StubRepetition: Sendable {
    /// The last one stays.
    case last
    /// They begin again with the first one.
    case all
    /// Each answers one request. One more goes to the stubs that were added earlier, and fails with
    /// ``MissingStubError`` where none of them stands for it.
    case never
}

/// Stubs that are used one after the other.
struct StubSequence: Sendable {
    private let stubs: [Stub]
    private let repetition: StubRepetition
    /// How many requests were answered.
    private(set) var useCount = 0

    init(_ stubs: [Stub], repeating repetition: StubRepetition = .last) {
        self.stubs = stubs
        self.repetition = repetition
    }

    /// `nil` where all have been used.
    mutating func next() -> Stub? {
        guard !stubs.isEmpty else { return nil }
        let index: Int
        switch repetition {
        case .last: index = min(useCount, stubs.count - 1)
        case .all: index = useCount % stubs.count
        case .never: index = useCount
        }
        guard index < stubs.count else { return nil }
        useCount += 1
        return stubs[index]
    }

    /// How many of the stubs have answered a request.
    var usedCount: Int { min(useCount, stubs.count) }
    var count: Int { stubs.count }
    var isUsedUp: Bool { repetition == .never && useCount >= stubs.count }
    /// Whether each stub was needed: one that stays has done its part with the first request.
    var isUsed: Bool { useCount >= stubs.count }
}
