import Foundation
import MoyaCore
import MoyaInternals

/// Requests in flight whose responses may be stored.
///
/// A request that changes a resource invalidates the fills of its key: their responses may predate
/// the change.
final class CacheFills: Sendable {
    struct Fill: Sendable {
        let key: String
        fileprivate let id = RandomID.uuid()
    }

    private let current = Locked<[String: Set<UUID>]>([:])

    func begin(_ key: String) -> Fill {
        let fill = Fill(key: key)
        current.withLock { _ = $0[key, default: []].insert(fill.id) }
        return fill
    }

    func end(_ fill: Fill) {
        current.withLock { current in
            current[fill.key]?.remove(fill.id)
            if current[fill.key]?.isEmpty == true { current[fill.key] = nil }
        }
    }

    /// Keeps requests already in flight for `key` from storing their responses.
    func invalidate(_ key: String) {
        current.withLock { $0[key] = nil }
    }

    /// Whether the response of `fill` may still be stored.
    func isCurrent(_ fill: Fill) -> Bool {
        current.withLock { $0[fill.key]?.contains(fill.id) == true }
    }
}
