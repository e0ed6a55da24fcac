import Foundation
import MoyaCore
import MoyaInternals

/// The exchanges whose responses may be stored.
///
/// Where a request that changes a resource is answered while an exchange for the same resource is under way, the
/// response of that exchange may be older than the change: it is not stored.
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

    /// Has no exchange that has begun for this key store its response.
    func invalidate(_ key: String) {
        current.withLock { $0[key] = nil }
    }

    /// Whether the response of the exchange may still be stored.
    func isCurrent(_ flight: Flight) -> Bool {
        current.withLock { $0[flight.key]?.contains(flight.id) == true }
    }
}
