#if CURL
/// Leaves a few file descriptors to the rest of the process, and has transfers wait for one: libdispatch on Linux looks after
/// its threads in files under /proc, and ends the process where it cannot open one.
///
/// Transfers that wait try again when another one has ended or found room, and every `retryInterval`.
///
/// A bound on connections and another try after EMFILE, without looking for descriptors (``hasRoom(for:)``), keeps all but one of
/// the promises that tests hold it to: a request that waits beside requests that never end would wait for ever
/// (`ReservedDescriptorTests`), because nothing tells that there is no descriptor to wait for. Files and lookups would take the
/// reserve for a moment when many begin at once: they are opened where their numbers are not seen.
struct DescriptorBudget<Element> {
    private static var retryInterval: UInt64 { 250_000_000 }
    /// How long a transfer leaves descriptors to the rest of the process. Nanoseconds.
    private static var patience: UInt64 { 5_000_000_000 }
    /// How many transfers may always take what is reserved: so few are not what uses it up.
    private static var fewTransfers: Int { 2 }
    /// What a lookup takes, as far as is known: libcurl's pair of sockets, and what the C library opens.
    private static var descriptorsForLookup: Int { 4 }

    private let table: DescriptorTable
    /// From this descriptor on they are left to the rest of the process.
    private var ceiling: Int32
    private var lookupCount = 0
    private var waiters = LinkedLists<Element>()
    private var waiting = LinkedLists<Element>.List()
    /// When the first transfer that waits tries again.
    private var retryDue: UInt64 = 0

    init(_ table: DescriptorTable = .process) {
        self.table = table
        ceiling = table.ceiling
    }

    // MARK: Before there are none

    /// Whether a descriptor is one of those that are left to the rest of the process. A new descriptor has the lowest number that
    /// is free, which tells how many there are.
    mutating func isReserved(_ descriptor: Int32) -> Bool {
        guard descriptor >= ceiling else { return false }
        // The limit may have been raised since.
        ceiling = table.ceiling
        return descriptor >= ceiling
    }

    /// Whether a transfer, one of `count` under way, may take a descriptor that is reserved.
    func mayTakeReserve(_ claim: DescriptorClaim, among count: Int) -> Bool {
        claim.isImpatient || count <= Self.fewTransfers
    }

    /// Whether a transfer may open this number of files.
    mutating func mayOpenFiles(_ number: Int, _ claim: DescriptorClaim, among count: Int) -> Bool {
        ceiling == .max || number == 0 || mayTakeReserve(claim, among: count)
            || hasRoom(for: number)
    }

    /// Whether a transfer may look up a name now. Each lookup takes descriptors until it is over, and some of them later.
    mutating func beginLookup(
        _ state: inout ConnectingState, _ claim: DescriptorClaim, among count: Int
    ) -> Bool {
        // Other names are asked for over a connection, or for it.
        guard state.step == .none else { return true }
        guard
            ceiling == .max || mayTakeReserve(claim, among: count)
                || lookupCount < max(1, Int(ceiling) / 8)
                    && hasRoom(for: Self.descriptorsForLookup + 2 * lookupCount)
        else { return false }
        state.step = .lookingUpName
        lookupCount += 1
        return true
    }

    /// The lookup that a transfer has begun is over, if there is one.
    mutating func endLookup(_ state: inout ConnectingState) {
        guard state.step == .lookingUpName else { return }
        state.step = .none
        lookupCount -= 1
    }

    /// Whether there are `count` descriptors that are not reserved. A gap below the ceiling may be the last, so that the
    /// next would be above.
    private mutating func hasRoom(for count: Int) -> Bool {
        var probes: [Int32] = []
        defer { for probe in probes { table.close(probe) } }
        for _ in 0..<count {
            switch table.open() {
            case .none: return false
            // Unknown, where it cannot be opened for another reason.
            case .failure: return true
            case .descriptor(let probe):
                probes.append(probe)
                if isReserved(probe) { return false }
            }
        }
        return true
    }

    // MARK: After there were none

    /// Whether a lookup may have failed because there was no descriptor for it. The resolver does not say why it failed.
    mutating func mayHaveFailedLookup(_ claim: DescriptorClaim) -> Bool {
        guard claim.isImpatient else { return !hasRoom(for: Self.descriptorsForLookup) }
        switch table.open() {
        case .none: return true
        case .failure: return false
        case .descriptor(let probe):
            table.close(probe)
            return false
        }
    }

    var waitingCount: Int { waiting.count }
    /// When ``check(now:)`` is due.
    var nextCheck: UInt64 { waiting.isEmpty ? .max : retryDue }

    /// Every transfer that waits, first to last.
    var waitingElements: [Element] { waiters.elements(of: waiting) }

    /// Has a transfer wait. Returns its ticket, and whether idle connections have to be closed for it.
    ///
    /// - Parameter isAlone: Whether no other transfer is under way: then none is going to give back a descriptor.
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

    /// The first of the transfers that wait, to try again.
    mutating func popFirst() -> Element? { waiters.popFirst(of: &waiting) }

    /// What to do for the transfers that wait, once ``nextCheck`` has come.
    enum Check {
        case nothing
        case retry
        /// Close the idle connections, after which the first one tries again.
        case closeIdle(first: Element)
    }

    mutating func check(now: UInt64) -> Check {
        guard retryDue <= now, let first = waiters.first(of: waiting) else { return .nothing }
        retryDue = now + Self.retryInterval
        return hasRoom(for: Self.descriptorsForLookup) ? .retry : .closeIdle(first: first)
    }

    /// Whether a transfer that has waited since then takes any descriptor there is: those before it may never end.
    static func isImpatient(since: UInt64, now: UInt64, impatientCount: Int) -> Bool {
        now &- since > patience && impatientCount < fewTransfers
    }
}

/// What a transfer may take of the descriptors that are reserved for the rest of the process.
struct DescriptorClaim {
    /// Whether idle connections have been closed for want of one, and no other transfer has any.
    var isLastTry = false
    /// Whether it has waited for so long that it takes any descriptor there is.
    var isImpatient = false
}

/// How far an attempt has come towards a connection.
struct ConnectingState {
    enum Step {
        case none
        case lookingUpName
        case hasSocket
    }

    var step = Step.none
    /// Whether it could not connect because there is no descriptor, or none that it may have at the moment.
    var lacksDescriptor = false
}
#endif
