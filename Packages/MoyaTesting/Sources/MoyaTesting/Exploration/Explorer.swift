import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

/// Runs a flow again and again, each time with other faults: none at first, then one, then two, and so on.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
struct Explorer<Server: Transport, Value: Sendable> {
    let faults: [Fault]
    let depth: Int
    let options: ExplorationOptions
    let makeServer: @Sendable () throws -> Server
    let flow: @Sendable (ExploredNetwork) async throws -> Value
    let promises: @Sendable (ExploredRun<Server, Value>) throws -> Void
    /// Seconds of real time to wait for other threads before virtual time passes. The run without faults tells whether the
    /// flow uses any.
    private var patience: TimeInterval = 0.02
    /// The system's uptime after which no further run begins.
    private var deadline: TimeInterval = 0
    /// How many more runs shrinking may take.
    private var shrinkingRoom: Int

    init(
        faults: [Fault], depth: Int, options: ExplorationOptions,
        makeServer: @escaping @Sendable () throws -> Server,
        flow: @escaping @Sendable (ExploredNetwork) async throws -> Value,
        promises: @escaping @Sendable (ExploredRun<Server, Value>) throws -> Void
    ) {
        self.faults = faults
        self.depth = depth
        self.options = options
        shrinkingRoom = options.runs
        self.makeServer = makeServer
        self.flow = flow
        self.promises = promises
    }

    /// A run, as far as the exploration needs it.
    struct Trial {
        let sites: [Site]
        let effect: RunState.StrikeEffect
        let broken: [BrokenPromise]
        let timeline: RunTimeline
        /// What the flow and the server can tell the run by.
        let signature: String
        let isForeign: Bool
    }

    /// Blocks the thread.
    ///
    /// - Throws: What making the server throws; `CancellationError`.
    mutating func explore() throws -> ExplorationReport {
        var report = ExplorationReport(options: options, depth: depth, faultCount: faults.count)
        let start = ProcessInfo.processInfo.systemUptime
        deadline = start + options.seconds
        var seen: Set<String> = []
        var generator = SeededGenerator(seed: options.seed)
        var frontier = [Schedule()]
        for level in 0...max(0, depth) {
            var next = Draw<Schedule>(room: options.runs - report.runs - frontier.count)
            for (index, schedule) in frontier.enumerated() {
                try Task.checkCancellation()
                guard ProcessInfo.processInfo.systemUptime < deadline else {
                    report.leftOut += frontier.count - index
                    break
                }
                let trial = try tryOut(schedule)
                if level == 0 { patience = trial.isForeign ? Self.patienceWithThreads : 0 }
                report.add(trial.timeline, sites: trial.sites.count, isForeign: trial.isForeign)
                guard trial.effect == .asPlanned else {
                    report.skip(trial.effect)
                    continue
                }
                // Promises may see more than what tells runs apart.
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
            report.leftOut += next.leftOut
            frontier = next.kept
        }
        try shrink(&report)
        report.seconds = ProcessInfo.processInfo.systemUptime - start
        return report
    }

    /// Every schedule with one more fault, after those there are.
    private func children(of schedule: Schedule, at sites: [Site]) -> [Schedule] {
        let first = (schedule.strikes.last?.site ?? -1) + 1
        return sites.indices.dropFirst(first).flatMap { index in
            faults.filter { $0.applies(to: sites[index].request) }.map { fault in
                schedule.adding(.init(site: index, at: sites[index], fault: fault))
            }
        }
    }

    // MARK: One run

    private mutating func tryOut(_ schedule: Schedule) throws -> Trial {
        let trial = try run(schedule, patience)
        guard trial.isForeign, patience == 0 || !trial.broken.isEmpty else { return trial }
        // Virtual time may have passed while another thread was at work.
        patience = Self.patienceWithThreads
        return try run(schedule, patience * 10)
    }

    /// Seconds of real time to wait for the threads of a flow that uses some.
    private static var patienceWithThreads: TimeInterval { 0.002 }

    private func run(_ schedule: Schedule, _ patience: TimeInterval) throws -> Trial {
        let server = try makeServer()
        let controller = RunController(
            server: server, schedule: schedule, options: options, patience: patience)
        return SimulatedProcess.$current.withValue(controller.simulation) {
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
                // Not that of a flow that ends because the run is over.
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
            broken: broken, timeline: timeline,
            signature: signature, isForeign: controller.executor.foreignCount > 0)
    }

    // MARK: Shrinking

    /// Looks for a shorter schedule, and for simpler faults, that break the same promises, while there are time and room.
    private mutating func shrink(_ report: inout ExplorationReport) throws {
        for index in report.findings.indices {
            while let (broken, schedule, timeline) = try simplerFinding(report.findings[index]) {
                report.findings[index].replace(broken, schedule, timeline)
            }
        }
    }

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

    /// Schedules with a fault less, then those with a simpler fault.
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

/// Keeps as many elements as there is room for, each as likely as the others.
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
