/// Where a transfer is between its submission and its end. Each transition returns what the loop has to do for it.
///
/// ```
/// submitted ─take─▶ waiting ─begin─▶ running ─end─▶ done
///                   ▲     ▲            │
///                   └wait─┴─startOver──┘
/// ```
/// A transfer ends once: from `done` on, every transition returns nothing to do.
struct TransferState<Attempt> {
    enum Phase {
        /// Its sender's. A cancel only leaves a mark: the loop ends the transfer when it takes it.
        case submitted(isCancelled: Bool)
        case waiting(Wait)
        case running(Attempt)
        case done
    }

    /// What a transfer waits for.
    enum Wait {
        /// One of the connections there may be.
        case connection(ConnectionTicket)
        /// A file descriptor of the process.
        case descriptor(ListPosition)
        /// Nothing any more: it begins when the loop is not inside of anything else.
        case turn
    }

    /// What a transfer had when it ended, to be given back.
    enum Release {
        /// It was over already, or still is its sender's.
        case nothing
        case connectionTicket(ConnectionTicket)
        case descriptorTicket(ListPosition)
        /// The loop has it on its list, and passes it over.
        case turn
        case attempt(Attempt)
    }

    private(set) var phase = Phase.submitted(isCancelled: false)
    /// Since when it has waited for a connection or a descriptor, up to an attempt that had a connection. Nanoseconds.
    private(set) var waitingSince: UInt64?
    /// Since when it has waited for a descriptor. Nanoseconds.
    private(set) var descriptorWaitSince: UInt64?

    var attempt: Attempt? {
        if case .running(let attempt) = phase { attempt } else { nil }
    }

    /// Whether it begins when its turn comes.
    var hasTurn: Bool {
        if case .waiting(.turn) = phase { true } else { false }
    }

    /// The loop takes the transfer. Returns whether it may begin: otherwise it was cancelled on the way, and is over.
    mutating func take() -> Bool {
        guard case .submitted(let isCancelled) = phase else { return false }
        phase = isCancelled ? .done : .waiting(.turn)
        return !isCancelled
    }

    /// Has a transfer that was about to begin wait for a connection.
    mutating func wait(for ticket: ConnectionTicket, since now: UInt64) {
        phase = .waiting(.connection(ticket))
        waitingSince = waitingSince ?? now
    }

    /// Has a transfer that was about to begin wait for a descriptor.
    mutating func wait(for ticket: ListPosition, since now: UInt64) {
        phase = .waiting(.descriptor(ticket))
        waitingSince = waitingSince ?? now
        descriptorWaitSince = descriptorWaitSince ?? now
    }

    /// The transfer has what it waited for.
    mutating func takeTurn() { phase = .waiting(.turn) }

    mutating func begin(_ attempt: Attempt) { phase = .running(attempt) }

    /// Has the transfer begin once more, with another attempt.
    ///
    /// - Parameter hadConnection: Whether the attempt that failed had a connection: then its waits are over.
    mutating func startOver(hadConnection: Bool) {
        phase = .waiting(.turn)
        if hadConnection { (waitingSince, descriptorWaitSince) = (nil, nil) }
    }

    /// Ends the transfer, for whatever reason.
    mutating func end() -> Release {
        switch phase {
        case .submitted:
            phase = .submitted(isCancelled: true)
            return .nothing
        case .waiting(let wait):
            phase = .done
            switch wait {
            case .connection(let ticket): return .connectionTicket(ticket)
            case .descriptor(let ticket): return .descriptorTicket(ticket)
            case .turn: return .turn
            }
        case .running(let attempt):
            phase = .done
            return .attempt(attempt)
        case .done: return .nothing
        }
    }
}
