#if CURL
/// Commands that other threads have sent to a loop, and the loop's lifecycle. ``CurlLoop`` guards
/// it with a lock.
///
/// ```
/// open ─stop─▶ stopped ─end─▶ over ─close─▶ closed
/// ```
/// No wake-up is lost, whichever thread takes the lock first:
///
/// 1. In ``fallAsleep()`` the loop finds the inbox empty, and marks itself asleep under the same
///    lock.
/// 2. A sender that runs before it finds no mark and wakes nothing: the loop finds the command in
///    step 1 and does not wait.
/// 3. A sender that runs after it finds the mark, clears it and wakes the loop. The waker's
///    descriptor stays readable, so that the wait ends even if the loop has not begun it yet.
struct Inbox<Command> {
    private enum Stage: Comparable {
        case open
        /// The transport has been shut down, so no transfer starts any more.
        case stopped
        /// The loop has taken its last commands.
        case over
        /// Every connection and descriptor of the loop is closed.
        case closed
    }

    private var stage = Stage.open
    private var commands: [Command] = []
    /// Whether the loop waits for events, so that a sender has to wake it.
    private var isAsleep = false
    /// The loop's transfers when it last took commands, plus the load submitted since: an estimate
    /// that ``LoopGroup`` uses to pick a loop. Each taken command counts as one transfer until the
    /// loop takes the next ones.
    private(set) var load = 0
    /// Tasks that wait for ``close()``.
    private var waiters: [UnsafeContinuation<Void, Never>] = []

    // MARK: Other threads

    // Each function returns whether the caller has to wake the loop, or `nil` if the loop will not
    // run the command.

    /// Submits a command, unless the loop has been stopped.
    ///
    /// - Parameter load: The number of transfers that the command adds.
    mutating func submit(_ command: Command, load: Int = 0) -> Bool? {
        stage == .open ? add(command, load) : nil
    }

    /// Submits a job of a Swift task. The loop also accepts jobs while it is stopping. A job counts
    /// as one transfer, because it may be about to send a request.
    mutating func submitJob(_ command: Command) -> Bool? {
        stage <= .stopped ? add(command, 1) : nil
    }

    /// Stops the loop. Later calls are refused.
    mutating func stop(_ command: Command) -> Bool? {
        guard stage == .open else { return nil }
        stage = .stopped
        return add(command, 0)
    }

    private mutating func add(_ command: Command, _ load: Int) -> Bool {
        commands.append(command)
        self.load += load
        return exchange(&isAsleep, with: false)
    }

    /// Registers `waiter` for ``close()``. Returns `true`, without registering it, if everything is
    /// closed already.
    mutating func waitUntilClosed(_ waiter: UnsafeContinuation<Void, Never>) -> Bool {
        if stage == .closed { return true }
        waiters.append(waiter)
        return false
    }

    // MARK: The loop's thread

    /// Takes the submitted commands, and leaves `empty` to be filled next.
    ///
    /// - Parameter load: The number of the loop's transfers, without those in the inbox.
    mutating func take(into empty: inout [Command], load: Int) {
        isAsleep = false
        self.load = load + commands.count
        swap(&commands, &empty)
    }

    /// Marks the loop asleep if no command waits. Returns whether the loop may wait for events.
    mutating func fallAsleep() -> Bool {
        isAsleep = commands.isEmpty
        return isAsleep
    }

    /// Ends the loop. Returns the commands that it has not taken.
    mutating func end() -> [Command] {
        stage = .over
        return exchange(&commands, with: [])
    }

    /// Records that everything is closed. Returns the tasks that wait for it.
    mutating func close() -> [UnsafeContinuation<Void, Never>] {
        stage = .closed
        return exchange(&waiters, with: [])
    }
}

/// Jobs of Swift tasks, to run on the loop's thread.
///
/// A class, because a running job may append others.
final class JobQueue<Job> {
    // Safe, as in `CurlDriver`: no access spans a job.
    @exclusivity(unchecked) private var jobs = SwapBuffer<Job>()
    /// Whether a job is running, so that the thread is not inside libcurl.
    private(set) var isRunning = false
    /// Runs a job. `nil` if the system's Swift runtime has no task executors.
    var run: ((Job) -> Void)?

    var isEmpty: Bool { jobs.isEmpty }

    func append(_ job: Job) { jobs.append(job) }

    /// Runs the jobs that are queued now. Jobs that they append wait for the next call. Returns
    /// whether there were any.
    func runAll() -> Bool {
        guard !jobs.isEmpty, let run else { return false }
        let ready = jobs.takeAll()
        isRunning = true
        for job in ready { run(job) }
        isRunning = false
        jobs.giveBack(ready)
        return true
    }
}
#endif
