import MoyaCore
import MoyaInternals

/// Records values in order, from any thread.
public final class Recorder<Item: Sendable>: Sendable {
    private let state = Locked<[Item]>([])

    /// Creates an empty recorder.
    public init() {}

    /// The recorded values, in order.
    public var items: [Item] { state.withLock { $0 } }
    /// Number of recorded values.
    public var count: Int { items.count }

    /// Records `item`. Pass it as a closure.
    @Sendable public func record(_ item: Item) { add(item) }

    /// Records `item` and returns the new number of items, which is unique to this call.
    @discardableResult
    public func add(_ item: Item) -> Int {
        state.withLock { items in
            items.append(item)
            return items.count
        }
    }
}
