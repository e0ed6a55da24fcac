/// The sites for which runs had a fault, and whether a run has reached them again.
struct SiteCoverage {
    static let promise = "each request is sent again when its run is repeated"

    /// Runs that did not reach a site.
    private struct Miss {
        let name: String
        let schedule: Schedule
        let timeline: RunTimeline
        var count = 1
    }

    /// Names of sites that a run has reached again, without random identifiers.
    private var reached: Set<String> = []
    private var misses: [String: Miss] = [:]
    /// Keys of `misses` in the order in which they were added.
    private var order: [String] = []

    /// Records whether a run reached the site of its last fault.
    mutating func add(
        _ schedule: Schedule, _ effect: RunState.StrikeEffect, _ timeline: RunTimeline
    ) {
        guard let strike = schedule.strikes.last else { return }
        let site = RunSignature.make([strike.name])
        if effect != .elsewhere {
            reached.insert(site)
        } else if misses[site] == nil {
            misses[site] = Miss(name: strike.name, schedule: schedule, timeline: timeline)
            order.append(site)
        } else {
            misses[site]?.count += 1
        }
    }

    /// The sites that no run has reached again, as one finding. `nil` if every site
    /// was reached again.
    var finding: ExplorationReport.Finding? {
        let unreached = order.filter { !reached.contains($0) }.compactMap { misses[$0] }
        guard let first = unreached.first else { return nil }
        let more = unreached.count - 1
        let names = first.name + (more == 0 ? "" : " and \(more) more")
        let broken = BrokenPromise(
            promise: Self.promise,
            reason: "No run reached \(names) again, so that no fault was tried there.")
        var finding = ExplorationReport.Finding(broken, first.schedule, first.timeline)
        finding.count = unreached.reduce(0) { $0 + $1.count }
        return finding
    }
}
