/// A job of the Swift concurrency runtime.
struct Job: Sendable, Equatable {
    /// Address of the job.
    let address: UInt
    /// Identifier of the task, unique in the process. 0 for a job without a task, such as a job
    /// that drains an actor's queue.
    let task: UInt64
    /// Whether the task prefers the executor of the run. Otherwise the job was meant for the global
    /// executor.
    let prefersExecutor: Bool
}

/// Queue of the jobs of one run, in the order in which they became ready. Only stores them:
/// ``FlowExecutor`` runs them.
struct JobQueue: Sendable {
    private var ready: [Job] = []
    /// Jobs enqueued by other threads. They wait until the run's own jobs are done, so that the
    /// speed of those threads does not change the order.
    private var arrived: [Job] = []
    /// Number of jobs enqueued by other threads.
    private(set) var foreignCount = 0
    /// Tasks of this run. A job that another thread enqueues belongs to the run if its task is in
    /// this set.
    private var tasks: Set<UInt64> = []
    /// Tasks of a killed process. Their jobs wait in `held`.
    private var killed: Set<UInt64> = []
    private var held: [Job] = []
    /// Number of jobs that ``next()`` has returned.
    private(set) var steps = 0
    /// Number of jobs after which the tasks are stopped. Above what the flow of a test needs.
    private var stepLimit = 200_000
    /// Whether the tasks were stopped at `stepLimit`.
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

    /// Removes and returns the next job. `nil` if every task is suspended.
    mutating func next() -> Job? {
        if steps >= stepLimit, !isExhausted {
            isExhausted = true
            kill()
        }
        guard !ready.isEmpty else { return nil }
        steps += 1
        return ready.removeFirst()
    }

    /// Makes the jobs from other threads ready. Returns `false` if there are no such jobs.
    mutating func admitArrivals() -> Bool {
        defer { arrived = [] }
        ready += arrived
        return !arrived.isEmpty
    }

    /// Stops every task of the run. Jobs without a task stay ready.
    mutating func kill() {
        killed.formUnion(tasks)
        ready += arrived
        held += ready.filter { $0.task != 0 }
        ready.removeAll { $0.task != 0 }
        arrived = []
    }

    /// Resumes killed tasks, so that they can end, with a limit of 20,000 more steps. A task that
    /// still does not end is stopped again.
    mutating func release() {
        (stepLimit, isExhausted) = (steps + 20_000, false)
        killed = []
        ready += held + arrived
        (held, arrived) = ([], [])
    }
}
