#if CURL
/// The state of a transfer.
///
/// ```
///             ┌─────────────startOver─────────────┐
///             ▼                                   │
/// submitted ─accept▶ turn ───────run──────▶ running
///                   │ ▲ │                         │
///                wait │ wait                      │
///                   │ takeTurn                    │
///                   ▼ │ ▼                         │
///          connection descriptor ◀──────wait──────┘
/// ```
/// `turn`, `connection` and `descriptor` are what a waiting transfer waits for. `end` leads to
/// `done` from these and from running; `accept` does so if the transfer was cancelled before. A
/// transfer ends once.
///
/// A transition from any other state changes nothing and returns `false`. The caller then takes
/// back what it was about to give the transfer.
struct TransferState<Attempt> {
    enum Phase {
        /// The sender still owns it. A cancel sets the flag, and the loop ends the transfer when it
        /// accepts it.
        case submitted(isCancelled: Bool)
        case waiting(Wait)
        case running(Attempt)
        case done
    }

    /// The event that a transfer waits for.
    enum Wait {
        /// A free connection.
        case connection(ConnectionTicket)
        /// A free file descriptor.
        case descriptor(ListPosition)
        /// Only its start, which the loop has scheduled.
        case turn
    }

    private(set) var phase = Phase.submitted(isCancelled: false)
    /// When it began to wait for a connection or a descriptor, in nanoseconds. Reset when an
    /// attempt had a connection.
    private(set) var waitingSince: UInt64?
    /// When it began to wait for a descriptor, in nanoseconds.
    private(set) var descriptorWaitSince: UInt64?

    var attempt: Attempt? { if case .running(let attempt) = phase { attempt } else { nil } }

    /// Whether the loop has scheduled its start.
    var hasTurn: Bool { if case .waiting(.turn) = phase { true } else { false } }

    private var isRunning: Bool { if case .running = phase { true } else { false } }

    /// The loop accepts the transfer. Returns `false` if it was cancelled before, and has ended.
    mutating func accept() -> Bool {
        guard case .submitted(let isCancelled) = phase else { return false }
        phase = isCancelled ? .done : .waiting(.turn)
        return !isCancelled
    }

    /// The transfer waits for a connection.
    mutating func wait(for ticket: ConnectionTicket, since now: UInt64) -> Bool {
        guard hasTurn else { return false }
        phase = .waiting(.connection(ticket))
        waitingSince = waitingSince ?? now
        return true
    }

    /// The transfer waits for a descriptor, before its start or after an attempt that found none.
    mutating func wait(for ticket: ListPosition, since now: UInt64) -> Bool {
        guard hasTurn || isRunning else { return false }
        phase = .waiting(.descriptor(ticket))
        waitingSince = waitingSince ?? now
        descriptorWaitSince = descriptorWaitSince ?? now
        return true
    }

    /// The transfer has the connection or descriptor that it waited for.
    mutating func takeTurn() -> Bool {
        guard case .waiting = phase, !hasTurn else { return false }
        phase = .waiting(.turn)
        return true
    }

    mutating func run(_ attempt: Attempt) -> Bool {
        guard hasTurn else { return false }
        phase = .running(attempt)
        return true
    }

    /// Starts the transfer again with another attempt.
    ///
    /// - Parameter since: When it began to wait, in nanoseconds. `nil` if the attempt before had a
    ///   connection, which ended the wait.
    mutating func startOver(waitingSince since: UInt64? = nil) -> Bool {
        guard isRunning else { return false }
        phase = .waiting(.turn)
        (waitingSince, descriptorWaitSince) = (since, nil)
        return true
    }

    /// The wait so far was not for a connection in use, and does not count.
    mutating func restartWait(at now: UInt64) { waitingSince = now }

    /// Ends the transfer. Returns its last phase, for the loop to free what it held. The loop skips
    /// a start that it has scheduled. `done` if it had ended already, or the sender still owns it.
    mutating func end() -> Phase {
        guard case .submitted = phase else { return exchange(&phase, with: .done) }
        phase = .submitted(isCancelled: true)
        return .done
    }
}
#endif
