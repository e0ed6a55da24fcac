import MoyaCore
import MoyaStubs

/// Faults of one run, and the sites where they occur.
struct Schedule: Sendable {
    /// A fault, and the site where it occurs.
    struct Strike: Sendable {
        /// Number of the site, counted from 0 in the order in which the run reaches sites.
        let site: Int
        /// Name of the site, such as `POST /orders`. A run that reaches another name here has not
        /// repeated, unless the names differ only in random identifiers: see ``RunSignature``.
        let name: String
        /// The request at the site. `nil` for a pause.
        let request: TransportRequest?
        var fault: Fault

        var isAtPause: Bool { request == nil }
    }

    /// Sorted by site, ascending.
    var strikes: [Strike] = []

    func strike(at site: Int) -> Strike? { strikes.first { $0.site == site } }

    func adding(_ strike: Strike) -> Schedule { Schedule(strikes: strikes + [strike]) }

    /// Returns this schedule without the fault at `index`.
    func removing(at index: Int) -> Schedule {
        var schedule = self
        schedule.strikes.remove(at: index)
        return schedule
    }

    /// Returns this schedule with `fault` in place of the fault at `index`.
    func replacing(at index: Int, with fault: Fault) -> Schedule {
        var schedule = self
        schedule.strikes[index].fault = fault
        return schedule
    }
}

/// A place in a run where a fault may occur: a request or a pause.
struct Site: Sendable {
    /// `nil` for a pause.
    let request: TransportRequest?
    let name: String
    /// Virtual seconds from the start of the run to the site.
    let time: Double

    static let pauseName = "a pause"
}

extension Schedule: CustomStringConvertible {
    var description: String {
        strikes.isEmpty
            ? "no fault" : strikes.map { "\($0.fault) at \($0.name)" }.joined(separator: ", then ")
    }
}
