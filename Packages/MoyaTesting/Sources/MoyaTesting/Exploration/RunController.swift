import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

/// Controls one run: starts the flow, advances its virtual clock, and injects faults.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
final class RunController: Sendable {
    let executor = FlowExecutor()
    let server: any Transport
    let options: ExplorationOptions
    let state: Locked<RunState>
    /// Seconds of real time to wait for other threads before the virtual clock advances.
    private let patience: TimeInterval

    init(
        server: any Transport, schedule: Schedule, options: ExplorationOptions,
        patience: TimeInterval
    ) {
        self.server = server
        self.options = options
        self.patience = patience
        state = Locked(RunState(schedule: schedule))
    }

    /// Runs a flow's disk work at once, on the calling thread: the time at which another thread
    /// finishes it is not reproducible.
    static let startDiskWork: DiskWork.Start = { queue, work in queue.sync(execute: work) }

    /// Requests, objects, sleepers and files that the flow has left, as text for the report.
    var leftovers: [String] {
        let state = state.withLock { $0 }
        var found = state.openExchanges.map { "\($0.name) still under way" }
        found += state.watched.compactMap { $0() }
        let sleeperCount = state.lives.last?.clock.sleeperCount ?? 0
        if sleeperCount > 0 { found.append("\(sleeperCount) still asleep") }
        return found + (state.folder.map(RunFolder.leftovers) ?? [])
    }

    // MARK: Lives

    /// Runs one life of the flow's process, until the flow ends, is killed or gets stuck. Blocks
    /// the calling thread.
    func live(_ flow: @escaping @Sendable (ExploredNetwork) async -> Void) -> RunState.LifeEnd {
        let start = state.withLock(\.elapsed)
        let clock = TestClock(
            start: Date(timeIntervalSince1970: 784_111_777 + start), seed: options.seed)
        let life = state.withLock { $0.begin(RunState.Life(clock: clock, start: start)) }
        let network = ExploredNetwork(clock: clock, run: self, life: life)
        let task = Task(executorPreference: executor) { [state] in
            await flow(network)
            state.withLock { $0.endFlow(of: life) }
        }
        state.withLock { $0.start(life, flow: task) }
        while true {
            executor.drain()
            if state.withLock(\.isKilled) { return .killed }
            if executor.isExhausted {
                return .stuck("It goes on without end: \(executor.steps) steps.")
            }
            if executor.waitForArrivals(patience) { continue }
            if let end = goOn() { return end }
        }
    }

    /// Takes the next step when every task is suspended: injects a fault, advances the clock to the
    /// next sleeper, or waits for another thread. Returns how the life ended, or `nil` if it
    /// continues.
    private func goOn() -> RunState.LifeEnd? {
        switch state.withLock({ $0.nextStep(options) }) {
        case .end(let end): return end
        case .strike(let fault): strike(with: fault)
        case .advance(let seconds, let clock): clock.advance(by: seconds)
        case .wait:
            // No task sleeps on the clock: the flow waits for another thread, or for an event that
            // never comes.
            guard executor.waitForArrivals(1) else {
                return .stuck("It waits for something that does not come.")
            }
        }
        return nil
    }

    /// Injects a fault during a pause. A pause has no request to reply to, so a fault with a reply
    /// changes nothing.
    private func strike(with fault: Fault) {
        switch fault.effect {
        case .cancel: cancelFlow()
        case .kill: kill()
        case .reply: state.withLock { $0.effect = .none }
        }
    }

    /// Kills the flow's process: suspends its tasks, ends its exchanges and detaches its open
    /// files.
    func kill() {
        executor.kill()
        state.withLock { $0.kill() }
        if let folder = state.withLock(\.folder) { RunFolder.abandonFiles(in: folder) }
    }

    func cancelFlow() { state.withLock { $0.lives.last?.flow }?.cancel() }

    /// Ends the tasks that are left and removes the run's folder, so that their memory and files
    /// are freed.
    func close() {
        let lives = state.withLock(\.lives)
        for life in lives { life.flow?.cancel() }
        // A task that wakes may sleep again: up to three rounds.
        for _ in 0..<3 {
            for continuation in state.withLock({ $0.close() }) { continuation.resume() }
            for life in lives { life.clock.advance(by: 1e10) }
            executor.release()
            executor.drain()
            if lives.allSatisfy({ $0.clock.sleeperCount == 0 }) { break }
        }
        // Errors are ignored: the system cleans its temporary folder.
        if let folder = state.withLock(\.folder) { try? FileManager.default.removeItem(at: folder) }
    }

    // MARK: Calls from the flow

    func add(_ note: FlowNote, life: Int) { state.withLock { $0.add(note, life: life) } }

    func watch(_ object: some AnyObject & Sendable, name: String, life: Int) {
        state.withLock { state in
            guard life == state.lives.count - 1 else { return }
            state.watched.append { [weak object] in object.map { _ in "\(name) still in memory" } }
        }
    }

    func folder(_ name: String) -> URL {
        state.withLock { state in
            let folder = state.folder ?? RunFolder.make()
            state.folder = folder
            return folder.appendingPathComponent(name)
        }
    }
}
