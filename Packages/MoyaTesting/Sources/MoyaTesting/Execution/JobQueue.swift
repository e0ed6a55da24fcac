/// A piece of work of Swift's runtime.
struct Job: Sendable, Equatable {
    /// Where the runtime keeps it.
    let address: UInt
    /// The number of its task. 0 where it is work of the runtime's own, such as the turn of an actor.
    let task: UInt64
    /// Whether its task prefers the executor of the run. Otherwise it was meant for the global one.
    let prefersExecutor: Bool
}

/// The jobs of one run that are ready, in the order in which they came. Runs nothing itself.
struct JobQueue: Sendable {
    private var ready: [Job] = []
    /// Jobs that other threads have brought. They wait until the run's own are done, so that it does not matter how fast
    /// those threads are.
    private var arrived: [Job] = []
    /// How many jobs other threads have brought.
    private(set) var foreignCount = 0
    /// The tasks of this run, so that their jobs are known again where another thread brings them.
    private var tasks: Set<UInt64> = []
    /// Tasks of a process that was killed. Their jobs wait in `held`.
    private var killed: Set<UInt64> = []
    private var held: [Job] = []
    /// How many jobs have been handed out.
    private(set) var steps = 0
    /// No flow of a test needs as many steps.
    private var stepLimit = 200_000
    /// Whether the tasks were stopped at the limit.
    private(set) var isExhausted = false

    func contains(task: UInt64) -> Bool { tasks.contains(task) }

    mutating func add(_ job: Job, isForeign: Bool = false) {
        if job.task != 0 { tasks.insert(job.task) }
        if isForeign { foreignCount += 1 }
        if killed.contains(job.task) {
            held.append(job)
        } else if isForeign {
            arrived.append(job)
        } else {
            ready.append(job)
        }
    }

    /// The next job to run. `nil` where all tasks wait.
    mutating func next() -> Job? {
        if steps >= stepLimit, !isExhausted {
            isExhausted = true
            kill()
        }
        guard !ready.isEmpty else { return nil }
        steps += 1
        return ready.removeFirst()
    }

    /// Readies what other threads have brought. Returns whether there is something.
    mutating func admitArrivals() -> Bool {
        defer { arrived = [] }
        ready += arrived
        return !arrived.isEmpty
    }

    /// Stops every task of the run where it is.
    mutating func kill() {
        killed.formUnion(tasks)
        ready += arrived
        held += ready.filter { $0.task != 0 }
        ready.removeAll { $0.task != 0 }
        arrived = []
    }

    /// Lets killed tasks go on, so that they end. A task that never waits does not end either: it is stopped once more.
    mutating func release() {
        (stepLimit, isExhausted) = (steps + 20_000, false)
        killed = []
        ready += held + arrived
        (held, arrived) = ([], [])
    }
}
