import Foundation
import MoyaStubs

/// What an exploration has found.
public struct ExplorationReport: Sendable {
    /// A promise that was broken, with the shortest schedule of faults that breaks it.
    public struct Finding: Sendable {
        /// What was to hold.
        public let promise: String
        /// What happened in the run with these ``faults``.
        public private(set) var reason: String
        /// How many runs broke the promise.
        public internal(set) var count = 1
        private(set) var schedule: Schedule
        private(set) var timeline: RunTimeline

        init(_ broken: BrokenPromise, _ schedule: Schedule, _ timeline: RunTimeline) {
            promise = broken.promise
            reason = broken.reason
            self.schedule = schedule
            self.timeline = timeline
        }

        /// The faults, each with where it strikes: `status 503 at POST /orders`.
        public var faults: [String] { schedule.strikes.map { "\($0.fault) at \($0.name)" } }

        mutating func replace(
            _ broken: BrokenPromise, _ schedule: Schedule, _ timeline: RunTimeline
        ) {
            reason = broken.reason
            self.schedule = schedule
            self.timeline = timeline
        }
    }

    /// What was broken, in the order in which it was found: fewer faults first.
    public internal(set) var findings: [Finding] = []
    /// How many runs there were.
    public private(set) var runs = 0
    /// How many of them looked to flow and server like a run before, and were not followed further.
    public internal(set) var duplicates = 0
    /// How many of them had a fault that changed nothing.
    public private(set) var withoutEffect = 0
    /// How many of them did not repeat the run that they follow. More than 0 means that the flow depends on something that
    /// the exploration does not control, such as another thread or random numbers.
    public private(set) var unrepeatable = 0
    /// How many runs there was no room or no time for.
    public internal(set) var leftOut = 0
    /// Seconds of real time.
    public internal(set) var seconds: TimeInterval = 0
    /// How many places for a fault the run without faults has: its requests and its pauses.
    public private(set) var siteCount = 0
    /// How many faults were tried at each.
    public let faultCount: Int
    /// How many faults a run had at most.
    public let depth: Int
    /// What drew the runs where not all of them fit.
    public let seed: UInt64
    /// Whether the flow uses threads that the exploration does not control, such as a dispatch queue or the main actor's.
    public private(set) var usesOtherThreads = false
    /// The run without faults.
    private(set) var plain: RunTimeline?

    init(options: ExplorationOptions, depth: Int, faultCount: Int) {
        seed = options.seed
        self.depth = depth
        self.faultCount = faultCount
    }

    /// How many runs there were in a second of real time.
    public var runsPerSecond: Double { seconds > 0 ? Double(runs) / seconds : 0 }

    mutating func add(_ timeline: RunTimeline, sites: Int, isForeign: Bool) {
        if runs == 0 { (plain, siteCount) = (timeline, sites) }
        runs += 1
        usesOtherThreads = usesOtherThreads || isForeign
    }

    mutating func skip(_ effect: RunState.StrikeEffect) {
        if effect == .none { withoutEffect += 1 } else { unrepeatable += 1 }
    }

    mutating func add(_ broken: BrokenPromise, _ schedule: Schedule, _ timeline: RunTimeline) {
        if let index = findings.firstIndex(where: { $0.promise == broken.promise }) {
            findings[index].count += 1
        } else {
            findings.append(Finding(broken, schedule, timeline))
        }
    }
}

extension ExplorationReport: CustomStringConvertible {
    /// What was tried, and each finding with its script.
    public var description: String {
        ([summary] + findings.map(\.description)).joined(separator: "\n\n")
    }

    /// What was tried, in one line.
    public var summary: String {
        var text =
            "\(runs) runs, \(siteCount) places, \(faultCount) faults, up to \(depth) in a run, seed \(seed): "
            + (findings.isEmpty
                ? "every promise was kept." : "broken promises: \(findings.count).")
        if leftOut > 0 { text += " \(leftOut) more runs were left out." }
        if unrepeatable > 0 { text += " \(unrepeatable) runs did not repeat." }
        return text
    }
}

extension ExplorationReport.Finding: CustomStringConvertible {
    /// The promise, what broke it, and a script that shows it.
    public var description: String {
        """
        Broken: \(promise)
        With: \(schedule)
        \(reason) \(timeline.ending) \(count == 1 ? "One run" : "\(count) runs") broke it.

        \(script)
        """
    }
}
