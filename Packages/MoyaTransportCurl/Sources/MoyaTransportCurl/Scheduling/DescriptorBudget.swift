#if CURL
/// Reserves a few file descriptors for the rest of the process, and queues transfers when only
/// reserved ones are left. On Linux libdispatch reads files under /proc to manage its threads, and
/// ends the process if it cannot open one.
///
/// Queued transfers retry when another transfer ends or finds a free descriptor, and every
/// `retryInterval`.
///
/// A connection limit with retries after EMFILE would be simpler, and every request of
/// `DescriptorTests` succeeds with it. But the process is then without a free descriptor again and
/// again: 1,620 checks found none while 500 files were uploaded and downloaded with a limit of 128,
/// and no check does with this type.
///
/// When many files and lookups begin at once they may use the reserve for a moment, because their
/// descriptor numbers are not visible here.
struct DescriptorBudget<Element> {
    private static var retryInterval: UInt64 { 250_000_000 }
    /// How long a transfer waits before it may use reserved descriptors, in nanoseconds.
    private static var patience: UInt64 { 5_000_000_000 }
    /// Number of transfers that may always use reserved descriptors. So few cannot exhaust the
    /// reserve.
    private static var fewTransfers: Int { 2 }
    /// Number of descriptors that a name lookup takes: libcurl's socket pair, and the C library's
    /// sockets and files.
    private static var descriptorsForLookup: Int { 4 }

    private let table: DescriptorTable
    /// The first reserved descriptor number.
    private var ceiling: Int32
    private var lookupCount = 0
    private var waiters = LinkedLists<Element>()
    private var waiting = LinkedLists<Element>.List()
    /// When the first queued transfer retries, in nanoseconds of ``LoopClock``.
    private var retryDue: UInt64 = 0

    init(_ table: DescriptorTable = .process) {
        self.table = table
        ceiling = table.ceiling
    }

    // MARK: Before descriptors run out

    /// Whether `descriptor` is a reserved one. The system gives out the lowest free number, so the
    /// number of a new descriptor shows how many are open.
    mutating func isReserved(_ descriptor: Int32) -> Bool {
        guard descriptor >= ceiling else { return false }
        // The process may have raised its limit.
        ceiling = table.ceiling
        return descriptor >= ceiling
    }

    /// Whether a transfer may use reserved descriptors, with `count` transfers running.
    func mayTakeReserve(_ claim: DescriptorClaim, among count: Int) -> Bool {
        claim.isImpatient || count <= Self.fewTransfers
    }

    /// Whether a transfer may open `number` files.
    mutating func mayOpenFiles(_ number: Int, _ claim: DescriptorClaim, among count: Int) -> Bool {
        ceiling == .max || number == 0 || mayTakeReserve(claim, among: count)
            || hasRoom(for: number)
    }

    /// Whether a transfer may start a name lookup now. A lookup holds descriptors until it ends,
    /// and opens some of them later.
    mutating func beginLookup(
        _ state: inout ConnectingState, _ claim: DescriptorClaim, among count: Int
    ) -> Bool {
        // Further names are resolved over a connection, such as that to a DNS-over-HTTPS server, or
        // for it.
        guard state.step == .waiting else { return true }
        guard
            ceiling == .max || mayTakeReserve(claim, among: count)
                || lookupCount < max(1, Int(ceiling) / 8)
                    && hasRoom(for: Self.descriptorsForLookup + 2 * lookupCount)
        else {
            state.lacksDescriptor = true
            return false
        }
        state.step = .lookingUpName
        lookupCount += 1
        return true
    }

    /// Ends the lookup that a transfer has begun, if there is one.
    mutating func endLookup(_ state: inout ConnectingState) {
        guard state.step == .lookingUpName else { return }
        state.step = .waiting
        lookupCount -= 1
    }

    /// Whether `count` descriptors are free, outside the reserve unless it may be used. Opens that
    /// many, because a single free number below the reserve may be the last one.
    private mutating func hasRoom(for count: Int, inReserve: Bool = false) -> Bool {
        var probes: [Int32] = []
        defer { for probe in probes { table.close(probe) } }
        for _ in 0..<count {
            switch table.open() {
            case .none: return false
            // Another error does not tell whether descriptors are free.
            case .failure: return true
            case .descriptor(let probe):
                probes.append(probe)
                if !inReserve, isReserved(probe) { return false }
            }
        }
        return true
    }

    // MARK: After descriptors have run out

    /// Whether a lookup may have failed for want of descriptors. The resolver does not report its
    /// reason.
    mutating func mayHaveFailedLookup(_ claim: DescriptorClaim) -> Bool {
        let count = claim.isImpatient ? 1 : Self.descriptorsForLookup
        return !hasRoom(for: count, inReserve: claim.isImpatient)
    }

    var waitingCount: Int { waiting.count }
    /// When ``check(now:)`` is due, in nanoseconds of ``LoopClock``.
    var nextCheck: UInt64 { waiting.isEmpty ? .max : retryDue }

    /// Every queued transfer, first to last.
    var waitingElements: [Element] { waiters.elements(of: waiting) }

    /// Queues a transfer. Returns its ticket, and whether idle connections have to be closed to
    /// free descriptors.
    ///
    /// - Parameter isAlone: Whether no other transfer is running, so that none will free a
    ///   descriptor.
    mutating func wait(
        _ element: Element, _ claim: inout DescriptorClaim, isAlone: Bool, now: UInt64
    ) -> (ticket: ListPosition, closesIdle: Bool) {
        claim.isImpatient = false
        let ticket = waiters.append(element, to: &waiting)
        claim.isLastTry = isAlone
        if isAlone { return (ticket, true) }
        guard retryDue <= now else { return (ticket, false) }
        retryDue = now + Self.retryInterval
        return (ticket, !hasRoom(for: Self.descriptorsForLookup))
    }

    mutating func remove(_ ticket: ListPosition) { waiters.remove(ticket, from: &waiting) }

    /// Removes the first queued transfer, which retries.
    mutating func popFirst() -> Element? { waiters.popFirst(of: &waiting) }

    /// The action for queued transfers when ``nextCheck`` has come.
    enum Check {
        case nothing
        case retry
        /// Close the idle connections, after which the first transfer retries.
        case closeIdle(first: Element)
    }

    /// The action that is due at `now`.
    mutating func check(now: UInt64) -> Check {
        guard retryDue <= now, let first = waiters.first(of: waiting) else { return .nothing }
        retryDue = now + Self.retryInterval
        return hasRoom(for: Self.descriptorsForLookup) ? .retry : .closeIdle(first: first)
    }

    /// Whether a transfer that has waited since `since` may use reserved descriptors: the transfers
    /// that hold the others may never end.
    static func isImpatient(since: UInt64, now: UInt64, impatientCount: Int) -> Bool {
        now &- since > patience && impatientCount < fewTransfers
    }
}

/// A transfer's permission to use reserved descriptors.
struct DescriptorClaim {
    /// Whether idle connections have been closed for it and no other transfer is running, so that
    /// another failure is final.
    var isLastTry = false
    /// Whether it has waited so long that it may use any descriptor.
    var isImpatient = false
}

/// An attempt's way to a connection.
struct ConnectingState {
    enum Step {
        /// It has not begun to open a connection, and may wait inside libcurl for a stream on a
        /// shared one or for a free one.
        case waiting
        case lookingUpName
        /// It has a socket that is being connected.
        case opening
        /// libcurl has begun to write the request to a connection, and has opened no other one
        /// since.
        case hasConnection
    }

    var step = Step.waiting
    /// When the socket that is being opened was connected, in nanoseconds of ``LoopClock``, if the
    /// request is observed. libcurl tells it only after the TLS handshake.
    var connected: UInt64?
    /// The connection in use, if its changes are reported to an observer.
    var observed: ConnectionEndpoints?
    /// Whether connecting failed because the process has no descriptor, or none that the attempt
    /// may use now.
    var lacksDescriptor = false
}
#endif
