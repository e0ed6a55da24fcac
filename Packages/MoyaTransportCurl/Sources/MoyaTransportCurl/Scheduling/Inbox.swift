#if CURL
/// What other threads have left for a loop, and what the loop still takes. Kept behind a lock by ``CurlLoop``.
///
/// ```
/// open ─stop─▶ stopped ─end─▶ over ─close─▶ closed
/// ```
/// No wake-up is lost, whichever thread takes the lock first:
///
/// 1. The loop finds the inbox empty in ``fallAsleep()``, and marks itself asleep in the same step.
/// 2. A sender that comes before finds no mark and wakes nothing: the loop finds its command in step 1 and does not wait.
/// 3. A sender that comes after finds the mark, clears it and wakes the loop: the waker's descriptor stays readable, so the
///    wait ends although the loop may not have begun it.
struct Inbox<Command> {
    private enum Stage {
        case open
        /// The transport has been shut down: no transfer starts any more.
        case stopped
        /// The loop has taken its last commands.
        case over
        /// Everything is closed.
        case closed
    }

    private var stage = Stage.open
    private var commands: [Command] = []
    /// Whether the loop waits for events, so that it has to be woken.
    private var isAsleep = false
    /// Number of transfers that the loop had when it last took commands, and of what has come since: an estimate, by which
    /// ``LoopGroup`` picks a loop. Commands that bring no transfer count until the loop takes the next ones.
    private(set) var load = 0
    /// Tasks that wait until everything is closed.
    private var waiters: [UnsafeContinuation<Void, Never>] = []

    /// What becomes of a command.
    enum Submission {
        case refused
        /// The loop takes it. `wakes` where the loop is asleep.
        case taken(wakes: Bool)
    }

    // MARK: Other threads

    /// Leaves a command, unless the loop has been stopped.
    ///
    /// - Parameter load: How many transfers it brings.
    mutating func submit(_ command: Command, load: Int = 0) -> Submission {
        guard stage == .open else { return .refused }
        return leave(command, load)
    }

    /// Leaves a piece of a task, which is also taken while the loop ends. It may be about to send a request, so it counts as one.
    mutating func submitJob(_ command: Command) -> Submission {
        switch stage {
        case .open, .stopped: leave(command, 1)
        case .over, .closed: .refused
        }
    }

    /// Has the loop end, once.
    mutating func stop(_ command: Command) -> Submission {
        guard stage == .open else { return .refused }
        stage = .stopped
        return leave(command, 0)
    }

    private mutating func leave(_ command: Command, _ load: Int) -> Submission {
        commands.append(command)
        self.load += load
        defer { isAsleep = false }
        return .taken(wakes: isAsleep)
    }

    /// Has `waiter` wait until everything is closed. Returns whether it is already.
    mutating func waitUntilClosed(_ waiter: UnsafeContinuation<Void, Never>) -> Bool {
        if stage == .closed { return true }
        waiters.append(waiter)
        return false
    }

    // MARK: The loop's thread

    /// Takes what has been left in exchange for an array without elements, to fill next.
    ///
    /// - Parameter load: Number of transfers that the loop has, without those in the inbox.
    mutating func take(into empty: inout [Command], load: Int) {
        isAsleep = false
        self.load = load + commands.count
        swap(&commands, &empty)
    }

    /// Whether the loop may wait for events: then it is woken for the next command.
    mutating func fallAsleep() -> Bool {
        isAsleep = commands.isEmpty
        return isAsleep
    }

    /// The loop has ended. Returns what is left.
    mutating func end() -> [Command] {
        stage = .over
        defer { commands = [] }
        return commands
    }

    /// Everything is closed. Returns the tasks that wait for that.
    mutating func close() -> [UnsafeContinuation<Void, Never>] {
        stage = .closed
        defer { waiters = [] }
        return waiters
    }
}
#endif
