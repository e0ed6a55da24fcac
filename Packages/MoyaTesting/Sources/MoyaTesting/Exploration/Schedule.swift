import MoyaCore
import MoyaStubs

/// The faults of one run, and where they strike.
struct Schedule: Sendable {
    /// A fault, and where it strikes.
    struct Strike: Sendable {
        /// The number of the site, counted from 0 in the order in which a run comes to them.
        let site: Int
        /// The site's name, to notice a run that does not repeat: `POST /orders`.
        let name: String
        /// The request that the site was for. `nil` where the flow sleeps.
        let request: TransportRequest?
        let fault: Fault

        init(site: Int, at place: Site, fault: Fault) {
            self.site = site
            name = place.name
            request = place.request
            self.fault = fault
        }

        var isAtPause: Bool { request == nil }
    }

    /// By site, ascending.
    var strikes: [Strike] = []

    func strike(at site: Int) -> Strike? { strikes.first { $0.site == site } }

    func adding(_ strike: Strike) -> Schedule { Schedule(strikes: strikes + [strike]) }

    /// The same faults without one.
    func removing(at index: Int) -> Schedule {
        var schedule = self
        schedule.strikes.remove(at: index)
        return schedule
    }

    /// The same with another fault at one of the sites.
    func replacing(at index: Int, with fault: Fault) -> Schedule {
        var schedule = self
        let old = strikes[index]
        schedule.strikes[index] = Strike(
            site: old.site, at: Site(request: old.request, name: old.name), fault: fault)
        return schedule
    }
}

/// A place where a fault may strike.
struct Site: Sendable {
    /// `nil` where the flow sleeps.
    let request: TransportRequest?
    let name: String

    static let pauseName = "a pause"
}

extension Schedule: CustomStringConvertible {
    var description: String {
        strikes.isEmpty
            ? "no fault" : strikes.map { "\($0.fault) at \($0.name)" }.joined(separator: ", then ")
    }
}
