import Foundation
import MoyaStubs

/// Result of an exploration.
public struct ExplorationReport: Sendable {
    /// A broken promise, with the shortest schedule of faults found that breaks it.
    public struct Finding: Sendable {
        /// The promise: the condition that should hold.
        public let promise: String
        /// Observation in the run with these ``faults`` that contradicts the promise.
        public private(set) var reason: String
        /// Number of runs that broke the promise.
        public internal(set) var count = 1
        private(set) var schedule: Schedule
        private(set) var timeline: RunTimeline

        init(_ broken: BrokenPromise, _ schedule: Schedule, _ timeline: RunTimeline) {
            promise = broken.promise
            reason = broken.reason
            self.schedule = schedule
            self.timeline = timeline
        }

        /// The faults, each with the place where it occurred: `status 503 at POST /orders`.
        public var faults: [String] { schedule.strikes.map { "\($0.fault) at \($0.name)" } }

        mutating func replace(
            _ broken: BrokenPromise, _ schedule: Schedule, _ timeline: RunTimeline
        ) {
            reason = broken.reason
            self.schedule = schedule
            self.timeline = timeline
        }
    }

    /// Broken promises in the order in which they were found: fewer faults first.
    public internal(set) var findings: [Finding] = []
    /// Number of runs.
    public private(set) var runs = 0
    /// Number of runs that the flow and the server could not distinguish from an earlier run. They
    /// get no further faults.
    var duplicates = 0
    /// Number of runs with a fault that changed nothing.
    private(set) var withoutEffect = 0
    /// Number of runs that did not repeat the run they extend. More than 0 means that the flow
    /// depends on something outside the exploration's control, such as other threads or random
    /// numbers.
    public private(set) var unrepeatable = 0
    /// Number of runs left out because of the limits of ``ExplorationOptions``.
    public private(set) var leftOut = 0
    /// Largest number of faults up to which no run was left out. 1 if every fault was tried at
    /// every place, but not every pair of faults.
    public private(set) var completeDepth: Int
    /// Promises that had nothing to check in any run, such as a mark that the flow never notes, or
    /// a path that it never requests. They are likely to have a typing error.
    public private(set) var neverTested: [String] = []
    /// Promises that had something to check in at least one run.
    private var tested: Set<String> = []
    /// Number of places for a fault in the run without faults: its requests and its pauses.
    private(set) var siteCount = 0
    /// Number of faults that were tried at each place.
    let faultCount: Int
    /// Maximum number of faults in a run.
    let depth: Int
    /// Seed of the exploration: see ``ExplorationOptions/seed``.
    let seed: UInt64
    /// Whether the flow uses threads that the exploration does not control, such as a dispatch
    /// queue or the main actor.
    public private(set) var usesOtherThreads = false
    /// Timeline of the run without faults.
    private(set) var plain: RunTimeline?

    init(options: ExplorationOptions, depth: Int, faultCount: Int) {
        seed = options.seed
        self.depth = depth
        completeDepth = depth
        self.faultCount = faultCount
    }

    mutating func add(_ timeline: RunTimeline, sites: Int, isForeign: Bool) {
        if runs == 0 { (plain, siteCount) = (timeline, sites) }
        runs += 1
        usesOtherThreads = usesOtherThreads || isForeign
    }

    mutating func add(_ subjects: [(promise: String, isThere: Bool)]) {
        for (promise, isThere) in subjects where !tested.contains(promise) {
            if isThere {
                tested.insert(promise)
                neverTested.removeAll { $0 == promise }
            } else if !neverTested.contains(promise) {
                neverTested.append(promise)
            }
        }
    }

    mutating func skip(_ effect: RunState.StrikeEffect) {
        if effect == .none { withoutEffect += 1 } else { unrepeatable += 1 }
    }

    /// Counts runs with this number of faults that are not made.
    mutating func leaveOut(_ count: Int, at faultCount: Int) {
        guard count > 0 else { return }
        leftOut += count
        completeDepth = min(completeDepth, max(0, faultCount - 1))
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
    /// Counts of runs, places, faults and broken promises, and each finding with its script.
    public var description: String {
        ([summary] + findings.map(\.description)).joined(separator: "\n\n")
    }

    /// Counts of runs, places, faults and broken promises, in one line.
    var summary: String {
        var text =
            "\(runs) runs, \(siteCount) places, \(faultCount) faults, up to \(depth) in a run, seed \(seed): "
            + (findings.isEmpty
                ? "every promise was kept." : "broken promises: \(findings.count).")
        if leftOut > 0 { text += " \(leftOut) more runs were left out." }
        if !neverTested.isEmpty { text += " Never tested: \(neverTested.joined(separator: "; "))." }
        if unrepeatable > 0 { text += " \(unrepeatable) runs did not repeat." }
        return text
    }
}

extension ExplorationReport.Finding: CustomStringConvertible {
    /// The promise, the faults that break it, and a script that reproduces the run.
    public var description: String {
        """
        Broken: \(promise)
        With: \(schedule)
        \(reason) \(timeline.ending) \(count == 1 ? "One run" : "\(count) runs") broke it.

        \(script)
        """
    }
}
