#if CURL
/// Limits connections: admits requests up to the limits, and queues the others.
///
/// Each host has its own queue, so that a host at its limit does not block other hosts. Hosts with
/// queued requests that may open another connection take turns at free places. In its turn, a host
/// may start several requests on one connection within 100 milliseconds, because the next host has
/// to close that connection and open another. Adding, admitting and removing a request take
/// constant time, however many are queued.
struct ConnectionQueue<Element> {
    enum Entry {
        case admitted(ConnectionPlace)
        case queued(ConnectionTicket)
        /// The host's connections are multiplexed, so libcurl limits them: only libcurl knows which
        /// request uses which connection.
        case shared
    }

    private struct Host {
        let name: String
        var running = 0
        var waiting = LinkedLists<Element>.List()
        /// Position among the hosts that take turns. `nil` if no request is queued for the host, or
        /// it is at its limit.
        var turn: ListPosition?
    }

    /// The largest number of admitted requests. 0 means no limit.
    let total: Int
    /// The largest number of admitted requests for one host. 0 means no limit.
    let perHost: Int

    /// How long a host keeps a place while other hosts wait, in nanoseconds. Long enough for
    /// several requests to a nearby server when all connections are busy, and too short for a
    /// person to notice.
    private static var turnLength: UInt64 { 100_000_000 }
    /// The most multiplexed hosts to remember. Beyond it, all are forgotten.
    private static var mostSharedHosts: Int { 4096 }

    private var running = 0
    /// Hosts whose connections are known to be multiplexed.
    private var sharedHosts: Set<String> = []
    /// Indexed by number, so that places and tickets need not hold a host's name.
    private var hosts: [Host] = []
    private var freeNumbers: [Int] = []
    private var numbers: [String: Int] = [:]
    private var waiters = LinkedLists<Element>()
    private var turns = LinkedLists<Int>()
    private var turnList = LinkedLists<Int>.List()

    init(total: Int, perHost: Int) {
        self.total = total
        self.perHost = perHost
    }

    var isLimited: Bool { total > 0 || perHost > 0 }
    var waitingCount: Int { waiters.count }

    /// Every queued request, host by host.
    var waiting: [Element] { hosts.flatMap { waiters.elements(of: $0.waiting) } }

    /// Admits a request, or queues it behind the requests for the same host.
    mutating func enter(_ element: Element, for name: String, now: UInt64) -> Entry {
        if sharedHosts.contains(name) { return .shared }
        let number = number(of: name)
        if hasFreePlace, turnList.isEmpty, hosts[number].waiting.isEmpty, hasRoom(number) {
            return .admitted(admit(number, since: now))
        }
        let position = waiters.append(element, to: &hosts[number].waiting)
        updateTurn(of: number)
        return .queued(ConnectionTicket(host: number, position: position))
    }

    /// Frees a place. Returns the queued request that takes it, if there is one.
    mutating func leave(
        _ place: ConnectionPlace, now: UInt64
    ) -> (element: Element, place: ConnectionPlace)? {
        running -= 1
        hosts[place.host].running -= 1
        if now &- place.since < Self.turnLength,
            let next = admitFirst(of: place.host, since: place.since)
        {
            return next
        }
        updateTurn(of: place.host)
        forgetIfUnused(place.host)
        guard hasFreePlace, let number = turns.popFirst(of: &turnList) else { return nil }
        hosts[number].turn = nil
        // The host goes to the end of the turns.
        return admitFirst(of: number, since: now)
    }

    /// Removes a queued request.
    mutating func remove(_ ticket: ConnectionTicket) {
        waiters.remove(ticket.position, from: &hosts[ticket.host].waiting)
        updateTurn(of: ticket.host)
        forgetIfUnused(ticket.host)
    }

    /// Records that the connections of a host are multiplexed. Returns the requests queued for it,
    /// which need no place any more.
    mutating func beginSharing(_ name: String) -> [Element] {
        guard sharedHosts.insert(name).inserted else { return [] }
        if sharedHosts.count > Self.mostSharedHosts { sharedHosts = [name] }
        guard let number = numbers[name] else { return [] }
        var removed: [Element] = []
        while let element = waiters.popFirst(of: &hosts[number].waiting) { removed.append(element) }
        updateTurn(of: number)
        forgetIfUnused(number)
        return removed
    }

    /// Records that each connection of a host carries one request at a time.
    mutating func endSharing(_ name: String) { sharedHosts.remove(name) }

    // MARK: Hosts

    private var hasFreePlace: Bool { total == 0 || running < total }
    private func hasRoom(_ number: Int) -> Bool { perHost == 0 || hosts[number].running < perHost }

    private mutating func admit(_ number: Int, since: UInt64) -> ConnectionPlace {
        running += 1
        hosts[number].running += 1
        return ConnectionPlace(host: number, since: since)
    }

    /// Admits the first request that is queued for a host, if there is one.
    private mutating func admitFirst(
        of number: Int, since: UInt64
    ) -> (element: Element, place: ConnectionPlace)? {
        guard let element = waiters.popFirst(of: &hosts[number].waiting) else { return nil }
        let place = admit(number, since: since)
        updateTurn(of: number)
        return (element, place)
    }

    /// Lists a host for turns exactly while requests are queued for it and it may open another
    /// connection.
    private mutating func updateTurn(of number: Int) {
        let takesTurns = !hosts[number].waiting.isEmpty && hasRoom(number)
        if takesTurns, hosts[number].turn == nil {
            hosts[number].turn = turns.append(number, to: &turnList)
        } else if !takesTurns, let turn = hosts[number].turn {
            turns.remove(turn, from: &turnList)
            hosts[number].turn = nil
        }
    }

    private mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let number = freeNumbers.popLast() ?? hosts.count
        if number == hosts.count { hosts.append(Host(name: name)) }
        hosts[number] = Host(name: name)
        numbers[name] = number
        return number
    }

    private mutating func forgetIfUnused(_ number: Int) {
        guard hosts[number].running == 0, hosts[number].waiting.isEmpty else { return }
        numbers[hosts[number].name] = nil
        freeNumbers.append(number)
    }
}

/// A counted connection of an admitted request, until it is given back to the ``ConnectionQueue``.
struct ConnectionPlace: Equatable {
    /// The host's number.
    fileprivate let host: Int
    /// Start of the host's turn, in nanoseconds.
    fileprivate let since: UInt64
}

/// Position of a queued request, until it is admitted or removed.
struct ConnectionTicket: Equatable {
    fileprivate let host: Int
    fileprivate let position: ListPosition
}

/// Decides when libcurl has to close idle connections. libcurl owns them
/// (`MultiHandle.closeIdleConnections(above:beside:)`).
struct IdleConnections {
    /// The largest number of idle connections to keep.
    let limit: Int
    /// Nanoseconds after its last transfer at which a connection is too old. `nil` if none is kept.
    private let allowance: UInt64?
    /// When a connection may be too old, in nanoseconds of ``LoopClock``.
    private(set) var due = UInt64.max
    /// Whether all idle connections have to be closed, because transfers need their descriptors.
    var mustClose = false
    /// Whether an idle connection may be broken.
    var hasBroken = false
    /// Whether there may be more than ``limit``.
    var hasSurplus = false

    /// - Parameter seconds: How long an idle connection is kept. libcurl compares whole elapsed
    ///   seconds.
    init(limit: Int, keptFor seconds: Int?) {
        self.limit = limit
        // 1.1 seconds more, because libcurl rounds down and reads its clock slightly later.
        allowance = seconds.map { UInt64($0) * 1_000_000_000 + 1_100_000_000 }
    }

    /// Records that a connection may have become idle at `time`.
    mutating func noteIdle(since time: UInt64) { if let allowance { due = time + allowance } }

    /// Whether libcurl has to check now for connections that are too old. Resets the time.
    mutating func takeDue(_ now: UInt64) -> Bool {
        guard due <= now else { return false }
        due = .max
        return true
    }

    /// Whether all idle connections have to be closed. Resets the flag.
    mutating func takeMustClose() -> Bool { exchange(&mustClose, with: false) }

    /// Whether a broken idle connection has to be closed. Resets the flag.
    mutating func takeBroken() -> Bool { exchange(&hasBroken, with: false) }

    /// Whether connections above the limit have to be closed. Resets the flag.
    mutating func takeSurplus() -> Bool { exchange(&hasSurplus, with: false) }
}
#endif
