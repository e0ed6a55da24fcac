import Foundation
import MoyaCore
import MoyaInternals

/// Keeps responses for a ``CachingTransport``. A response that a store has lost is fetched again, so a store may
/// drop any at any time, and does not report what it fails at.
///
/// Responses to requests that differ in a header field are kept apart, whatever the server says of them, except in fields that
/// are known to carry no credential and no identity (`Accept`, `User-Agent`, `traceparent`, …). What a layer or a transport inside adds is not seen: where users differ by
/// that alone, each needs a store.
public protocol CacheStore: Sendable {
    /// The responses stored under `key`, or none.
    func responses(for key: String) async -> [StoredResponse]

    /// Changes the responses stored under `key`, in one step. None means that nothing is kept.
    func update(
        _ key: String, _ change: @escaping @Sendable (inout [StoredResponse]) -> Void) async

    /// Removes everything.
    func removeAll() async
}

extension CacheStore {
    /// Stores `response` in place of those that `request` would get, if `isCurrent` says yes while the store
    /// is being changed. Returns whether it did.
    func put(
        _ response: StoredResponse, for request: TransportRequest, key: String,
        if isCurrent: @escaping @Sendable () -> Bool
    ) async -> Bool {
        let isStored = Locked(false)
        await update(key) { stored in
            guard isCurrent() else { return }
            isStored.withLock { $0 = true }
            stored.removeAll { CacheRules.matches($0, request) }
            stored.append(response)
            // A server that varies by everything shall not fill the store with one URL.
            stored.removeFirst(max(0, stored.count - 16))
        }
        return isStored.withLock { $0 }
    }
}

/// Keeps responses in memory. When they are too many, those go that were used longest ago.
public final class MemoryCacheStore: CacheStore {
    private struct Entry {
        var responses: [StoredResponse]
        var size: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var useCount = 0
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: How many bytes are kept, about. 0 or less keeps nothing.
    public init(limit: Int = 32 << 20) {
        self.limit = max(0, limit)
    }

    /// How many bytes are kept, about.
    public var size: Int { state.withLock(\.size) }

    public func responses(for key: String) async -> [StoredResponse] {
        state.withLock { state in
            state.useCount += 1
            state.entries[key]?.lastUse = state.useCount
            return state.entries[key]?.responses ?? []
        }
    }

    public func update(
        _ key: String, _ change: @escaping @Sendable (inout [StoredResponse]) -> Void
    ) async {
        state.withLock { state in
            let old = state.entries.removeValue(forKey: key)
            state.size -= old?.size ?? 0
            var responses = old?.responses ?? []
            change(&responses)
            let size = responses.reduce(key.utf8.count) { $0 + $1.size }
            guard !responses.isEmpty, size <= limit else { return }
            state.useCount += 1
            state.entries[key] = Entry(responses: responses, size: size, lastUse: state.useCount)
            state.size += size
            evict(from: &state)
        }
    }

    public func removeAll() async {
        state.withLock { $0 = State() }
    }

    /// Removes what was used longest ago until a tenth of the limit is free, so that not every response that
    /// follows has to make room again.
    private func evict(from state: inout State) {
        guard state.size > limit else { return }
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.size > limit / 10 * 9, state.entries.count > 1 else { return }
            state.entries[key] = nil
            state.size -= entry.size
        }
    }
}
