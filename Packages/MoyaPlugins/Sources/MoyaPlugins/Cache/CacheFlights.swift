import Foundation
@_spi(MoyaInternals) import MoyaCore

/// The exchanges whose responses are about to be stored. What is invalidated while they are under way may be
/// older than what invalidated it, and is not stored.
final class CacheFlights: Sendable {
    struct Flight: Sendable {
        let key: String
        fileprivate let id = UUID()
    }

    private let current = Locked<[String: Set<UUID>]>([:])

    func begin(_ key: String) -> Flight {
        let flight = Flight(key: key)
        current.withLock { _ = $0[key, default: []].insert(flight.id) }
        return flight
    }

    func end(_ flight: Flight) {
        current.withLock { current in
            current[flight.key]?.remove(flight.id)
            if current[flight.key]?.isEmpty == true { current[flight.key] = nil }
        }
    }

    /// What has begun for this key is outdated from now on.
    func invalidate(_ key: String) {
        current.withLock { $0[key] = nil }
    }

    func isCurrent(_ flight: Flight) -> Bool {
        current.withLock { $0[flight.key]?.contains(flight.id) == true }
    }
}
