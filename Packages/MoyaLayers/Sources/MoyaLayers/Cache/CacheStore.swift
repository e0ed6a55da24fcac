import Foundation
import MoyaCore
import MoyaInternals

/// Storage of a ``CachingTransport``.
///
/// A store may drop any response at any time, and reports no errors: a lost response is fetched
/// again.
///
/// Responses to requests that differ in a header field are kept apart, whatever the server's `Vary`
/// says. Exempt are fields that carry neither a credential nor an identity (`Accept`, `User-Agent`,
/// `traceparent`, …). The cache does not see fields that a layer inside it or the transport adds:
/// if users differ only in such fields, give each user a store.
public protocol CacheStore: Sendable {
    /// Returns the responses stored under `key`, or an empty array.
    func responses(for key: String) async -> [StoredResponse]

    /// Changes the responses stored under `key` in one atomic step. An empty array removes the
    /// entry.
    func update(
        _ key: String, _ change: @escaping @Sendable (inout [StoredResponse]) -> Void) async

    /// Removes all responses.
    func removeAll() async
}

extension CacheStore {
    /// Stores `response` in place of the responses that match `request`. Stores nothing if
    /// `isCurrent` returns `false` while the entry is being changed. Returns whether it was stored.
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
            // Bounds the variants of one URL, for servers whose `Vary` differs for each request.
            stored.removeFirst(max(0, stored.count - 16))
        }
        return isStored.withLock { $0 }
    }
}

/// A cache store in memory. Over its limit, it evicts the least recently used entries.
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

    /// - Parameter limit: Approximate capacity, in bytes. Default: 32 MiB. With 0 or less nothing
    ///   is stored.
    public init(limit: Int = 32 << 20) {
        self.limit = max(0, limit)
    }

    /// Approximate size of the stored responses, in bytes.
    public var size: Int { state.withLock(\.size) }

    /// Returns the responses stored under `key`, and marks the entry as recently used.
    public func responses(for key: String) async -> [StoredResponse] {
        state.withLock { state in
            state.useCount += 1
            state.entries[key]?.lastUse = state.useCount
            return state.entries[key]?.responses ?? []
        }
    }

    /// Changes the responses stored under `key`, and evicts entries if the store exceeds its limit.
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

    /// Removes all responses.
    public func removeAll() async {
        state.withLock { $0 = State() }
    }

    /// Evicts least recently used entries until a tenth of the limit is free, so that the following
    /// responses need not evict again.
    private func evict(from state: inout State) {
        guard state.size > limit else { return }
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.size > limit / 10 * 9, state.entries.count > 1 else { return }
            state.entries[key] = nil
            state.size -= entry.size
        }
    }
}
