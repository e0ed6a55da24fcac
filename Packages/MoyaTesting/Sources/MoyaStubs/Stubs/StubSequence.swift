/// Behaviour of a sequence of stubs after its last stub was used.
public enum StubRepetition: Sendable {
    /// The last stub answers all further requests.
    case last
    /// The sequence starts again with its first stub.
    case all
    /// Each stub answers one request. A further request goes to stubs that were added earlier, and
    /// fails with ``MissingStubError`` if none of them matches.
    case never
}

/// Stubs that answer requests one after the other.
struct StubSequence: Sendable {
    private let stubs: [Stub]
    private let repetition: StubRepetition
    /// Number of answered requests.
    private(set) var useCount = 0

    init(_ stubs: [Stub], repeating repetition: StubRepetition = .last) {
        self.stubs = stubs
        self.repetition = repetition
    }

    /// Returns the next stub. `nil` if all stubs were used.
    mutating func next() -> Stub? {
        guard !stubs.isEmpty else { return nil }
        let index =
            switch repetition {
            case .last: min(useCount, stubs.count - 1)
            case .all: useCount % stubs.count
            case .never: useCount
            }
        guard index < stubs.count else { return nil }
        useCount += 1
        return stubs[index]
    }

    /// Number of stubs that have answered a request.
    var usedCount: Int { min(useCount, stubs.count) }
    var count: Int { stubs.count }
    var isUsedUp: Bool { repetition == .never && useCount >= stubs.count }
    /// Whether each stub has answered a request at least once.
    var isUsed: Bool { useCount >= stubs.count }
}
