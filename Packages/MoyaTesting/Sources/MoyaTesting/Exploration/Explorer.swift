import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

/// Runs a flow repeatedly with different faults: first without a fault, then with one, then with
/// two, up to `depth`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
struct Explorer<Server: Transport, Value: Sendable> {
    let faults: [Fault]
    let depth: Int
    let options: ExplorationOptions
    let makeServer: @Sendable () throws -> Server
    let flow: @Sendable (ExploredNetwork) async throws -> Value
    let promises: @Sendable (ExploredRun<Server, Value>) throws -> Void
    /// Seconds of real time to wait for other threads before the virtual clock advances. The run
    /// without faults shows whether the flow uses other threads.
    private(set) var patience: TimeInterval = 0.02
    /// System uptime, in seconds, after which no further run begins.
    private(set) var deadline: TimeInterval = 0
    /// Number of runs that shrinking may still take.
    private(set) var shrinkingRoom = 0

    /// Result of one run.
    struct Trial {
        let sites: [Site]
        let effect: RunState.StrikeEffect
        let broken: [BrokenPromise]
        /// The promises that were checked, and whether the run had a subject for each.
        let subjects: [(promise: String, isThere: Bool)]
        let timeline: RunTimeline
        /// Text that identifies the run: two runs with equal text look the same to the flow and the
        /// server.
        let signature: String
        /// Whether other threads have enqueued jobs of the flow.
        let isForeign: Bool
    }

    /// Explores the flow. Blocks the calling thread.
    ///
    /// - Throws: Errors of `makeServer`, and `CancellationError`.
    mutating func explore() throws -> ExplorationReport {
        var report = ExplorationReport(options: options, depth: depth, faultCount: faults.count)
        deadline = ProcessInfo.processInfo.systemUptime + options.seconds
        shrinkingRoom = options.runs
        var seen: Set<String> = []
        var coverage = SiteCoverage()
        var generator = SeededGenerator(seed: options.seed)
        var frontier = [Schedule()]
        for level in 0...max(0, depth) {
            var next = Draw<Schedule>(room: room(after: level, report.runs + frontier.count))
            for (index, schedule) in frontier.enumerated() {
                try Task.checkCancellation()
                guard ProcessInfo.processInfo.systemUptime < deadline else {
                    report.leaveOut(frontier.count - index, at: level)
                    break
                }
                let trial = try tryOut(schedule)
                if level == 0 { patience = trial.isForeign ? Self.patienceWithThreads : 0 }
                report.add(trial.timeline, sites: trial.sites.count, isForeign: trial.isForeign)
                report.add(trial.subjects)
                coverage.add(schedule, trial.effect, trial.timeline)
                guard trial.effect == .asPlanned else {
                    report.skip(trial.effect)
                    continue
                }
                // Comes before the check for duplicates: a promise may look at state that is not
                // part of the signature.
                for broken in trial.broken { report.add(broken, schedule, trial.timeline) }
                guard seen.insert(trial.signature).inserted else {
                    report.duplicates += 1
                    continue
                }
                guard trial.broken.isEmpty, level < depth else { continue }
                for child in children(of: schedule, at: trial.sites) {
                    next.add(child, using: &generator)
                }
            }
            report.leaveOut(next.leftOut, at: level + 1)
            frontier = next.kept
        }
        try shrink(&report)
        if let finding = coverage.finding { report.findings.append(finding) }
        return report
    }

    /// Returns the number of runs that may follow those with `level` faults. `count` is the number
    /// of runs up to then.
    private func room(after level: Int, _ count: Int) -> Int {
        switch level {
        // Every single fault, as many as there are.
        case 0: .max
        // Pairs, even if the runs with one fault have used up the limit.
        case 1: max(options.runs - count, options.runs / 4)
        default: options.runs - count
        }
    }

    /// Returns each schedule that adds one fault to `schedule`, at a site after its last fault.
    private func children(of schedule: Schedule, at sites: [Site]) -> [Schedule] {
        let first = (schedule.strikes.last?.site ?? -1) + 1
        return sites.indices.dropFirst(first).flatMap { index in
            let site = sites[index]
            return faults.filter { $0.applies(to: site.request) }.map { fault in
                schedule.adding(
                    .init(site: index, name: site.name, request: site.request, fault: fault))
            }
        }
    }

    // MARK: One run

    private mutating func tryOut(_ schedule: Schedule) throws -> Trial {
        let trial = try run(schedule, patience)
        guard trial.isForeign, patience == 0 || !trial.broken.isEmpty else { return trial }
        // Another thread was at work, and the virtual clock may have advanced before that thread
        // had finished. The run is repeated with ten times the wait.
        patience = Self.patienceWithThreads
        return try run(schedule, patience * 10)
    }

    /// Seconds of real time to wait for other threads, for a flow that uses them.
    private static var patienceWithThreads: TimeInterval { 0.002 }

    private func run(_ schedule: Schedule, _ patience: TimeInterval) throws -> Trial {
        let server = try makeServer()
        let controller = RunController(
            server: server, schedule: schedule, options: options, patience: patience)
        return DiskWork.$start.withValue(RunController.startDiskWork) {
            controller.executor.run {
                defer { controller.close() }
                return trial(of: schedule, server, controller)
            }
        }
    }

    private func trial(
        of schedule: Schedule, _ server: Server, _ controller: RunController
    ) -> Trial {
        let result = Locked<Result<Value, any Error>?>(nil)
        var killCount = 0
        var end = RunState.LifeEnd.killed
        while case .killed = end {
            result.withLock { $0 = nil }
            end = controller.live { [flow] network in
                let outcome: Result<Value, any Error>
                do { outcome = .success(try await flow(network)) } catch {
                    outcome = .failure(error)
                }
                // Only the first result counts: flows that were killed end when the run is closed.
                result.withLock { if $0 == nil { $0 = outcome } }
            }
            if case .killed = end { killCount += 1 }
        }
        let outcome: ExploredRun<Server, Value>.Outcome =
            switch (end, result.withLock { $0 }) {
            case (.stuck(let reason), _): .unfinished(reason)
            case (_, .success(let value)?): .returned(value)
            case (_, .failure(let error)?): .threw(error)
            case (_, nil): .unfinished("It did not end.")
            }
        let run = ExploredRun(
            server: server, outcome: outcome, controller: controller, killCount: killCount,
            isCancelled: schedule.strikes.contains(where: \.fault.isCancellation))
        do { try promises(run) } catch { run.breaks("the promises can be checked", "\(error)") }
        if schedule.strikes.isEmpty, !options.mayFailWithoutFaults { run.checkThatFlowWorks() }
        let state = controller.state.withLock { $0 }
        let timeline = RunTimeline(
            run, schedule: schedule, sites: state.sites, folder: state.folder)
        let pauses = schedule.strikes.filter(\.isAtPause).map { "\($0.site) \($0.fault)" }
        let signature = RunSignature.make(
            run.exchanges.map(\.signature) + ["\(killCount) \(timeline.ending)"] + pauses)
        let broken = run.broken.map { broken in
            BrokenPromise(
                promise: broken.promise, reason: RunFolder.hide(state.folder, in: broken.reason))
        }
        let isMissed = schedule.strikes.contains { $0.site >= state.sites.count }
        return Trial(
            sites: state.sites, effect: isMissed ? .elsewhere : state.effect,
            broken: broken, subjects: run.subjects, timeline: timeline,
            signature: signature, isForeign: controller.executor.foreignCount > 0)
    }

    // MARK: Shrinking

    /// Replaces the schedule of each finding by a shorter schedule, or one with simpler faults,
    /// that breaks the same promise. Stops at the deadline and when `shrinkingRoom` is used up.
    private mutating func shrink(_ report: inout ExplorationReport) throws {
        for index in report.findings.indices {
            while let (broken, schedule, timeline) = try simplerFinding(report.findings[index]) {
                report.findings[index].replace(broken, schedule, timeline)
            }
        }
    }

    /// Runs the candidates for `finding` and returns the first that breaks its promise.
    private mutating func simplerFinding(
        _ finding: ExplorationReport.Finding
    ) throws -> (BrokenPromise, Schedule, RunTimeline)? {
        for candidate in simpler(than: finding.schedule) {
            try Task.checkCancellation()
            guard shrinkingRoom > 0, ProcessInfo.processInfo.systemUptime < deadline else {
                return nil
            }
            shrinkingRoom -= 1
            let trial = try tryOut(candidate)
            guard trial.effect == .asPlanned,
                let broken = trial.broken.first(where: { $0.promise == finding.promise })
            else { continue }
            return (broken, candidate, trial.timeline)
        }
        return nil
    }

    /// Candidates to replace `schedule`: first without one of its faults, then with one fault
    /// replaced by a simpler fault, which is an earlier element of `faults`. A schedule with one
    /// fault has no candidates.
    private func simpler(than schedule: Schedule) -> [Schedule] {
        let indices = schedule.strikes.indices
        guard schedule.strikes.count > 1 else { return [] }
        let shorter = indices.map { schedule.removing(at: $0) }
        let simpler = indices.flatMap { index in
            let strike = schedule.strikes[index]
            return faults.prefix { $0.name != strike.fault.name }
                .filter { $0.applies(to: strike.request) }
                .map { schedule.replacing(at: index, with: $0) }
        }
        return shorter + simpler
    }
}

/// Random sample of at most `room` elements, each with the same probability (reservoir sampling).
struct Draw<Element> {
    let room: Int
    private(set) var kept: [Element] = []
    private(set) var leftOut = 0

    init(room: Int) { self.room = max(0, room) }

    mutating func add(_ element: Element, using generator: inout SeededGenerator) {
        guard kept.count >= room else { return kept.append(element) }
        leftOut += 1
        let place = Int(generator.next() % UInt64(kept.count + leftOut))
        if place < room { kept[place] = element }
    }
}
