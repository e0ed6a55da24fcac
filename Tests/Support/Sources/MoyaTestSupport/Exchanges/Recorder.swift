@_spi(MoyaInternals) import MoyaCore

/// Things that happened, in order, from any thread.
public final class Recorder<Item: Sendable>: Sendable {
    private let state = Locked<[Item]>([])

    public init() {}

    public var items: [Item] { state.withLock { $0 } }
    public var count: Int { items.count }

    @Sendable public func record(_ item: Item) {
        state.withLock { $0.append(item) }
    }
}
