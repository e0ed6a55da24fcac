#if CURL
/// Decides which requests may have a connection, and in which order the others wait for one.
///
/// Each host has a queue of its own, and the hosts that may have another connection take turns at what becomes free: a host
/// at its limit holds no other one up. In its turn, a host has one request after the other on a connection, for a tenth of a
/// second: the next host has to close that connection and open its own. A request enters, leaves and is taken in constant
/// time, however many wait.
struct ConnectionQueue<Element> {
    enum Entry {
        case admitted(ConnectionPlace)
        case queued(ConnectionTicket)
        /// The host's connections carry many requests at once, and libcurl alone knows which request uses which.
        case shared
    }

    private struct Host {
        let name: String
        var running = 0
        var waiting = LinkedLists<Element>.List()
        /// Its place among those that take turns. `nil` where no request waits, or the host is at its limit.
        var turn: ListPosition?
    }

    /// How many may have a connection. 0 is no limit.
    let total: Int
    /// How many may have a connection to one host. 0 is no limit.
    let perHost: Int

    /// How long a host may go on to use a connection that others wait for, in nanoseconds: long enough for several requests of a
    /// server nearby where all connections are busy, and short beside what a person notices.
    private static var turnLength: UInt64 { 100_000_000 }
    /// The most hosts that are remembered for sharing connections.
    private static var mostSharedHosts: Int { 4096 }

    private var running = 0
    /// Secure hosts whose connections carry many requests at once, as far as is known.
    private var sharedHosts: Set<String> = []
    /// By number: what a request holds names no host by its text.
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

    /// Every request that waits, host by host.
    var waiting: [Element] { hosts.flatMap { waiters.elements(of: $0.waiting) } }

    /// Admits a request where none waits, only the total counts and no host shares connections: then no host's name is needed.
    mutating func enterFreely(now: UInt64) -> ConnectionPlace? {
        guard perHost == 0, running < total, waiters.count == 0, sharedHosts.isEmpty else {
            return nil
        }
        running += 1
        return ConnectionPlace(host: nil, since: now)
    }

    /// Admits a request, or has it wait behind those that may have the same connection.
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

    /// Gives a place back. Returns the request that has it from now on, if one waits for it.
    mutating func leave(
        _ place: ConnectionPlace, now: UInt64
    ) -> (element: Element, place: ConnectionPlace)? {
        running -= 1
        if let number = place.host {
            hosts[number].running -= 1
            if now &- place.since < Self.turnLength,
                let element = waiters.popFirst(of: &hosts[number].waiting)
            {
                let place = admit(number, since: place.since)
                updateTurn(of: number)
                return (element, place)
            }
            updateTurn(of: number)
            forgetIfUnused(number)
        }
        guard hasFreePlace, let number = turns.popFirst(of: &turnList) else { return nil }
        hosts[number].turn = nil
        guard let element = waiters.popFirst(of: &hosts[number].waiting) else { return nil }
        let place = admit(number, since: now)
        // Behind the other hosts.
        updateTurn(of: number)
        return (element, place)
    }

    /// Takes out a request that waits.
    mutating func remove(_ ticket: ConnectionTicket) {
        waiters.remove(ticket.position, from: &hosts[ticket.host].waiting)
        updateTurn(of: ticket.host)
        forgetIfUnused(ticket.host)
    }

    /// The connections of this host carry many requests at once. Returns the requests that wait for it, which need no place
    /// any more.
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

    /// The connections of this host carry one request at a time.
    mutating func endSharing(_ name: String) { sharedHosts.remove(name) }

    // MARK: Hosts

    private var hasFreePlace: Bool { total == 0 || running < total }
    private func hasRoom(_ number: Int) -> Bool { perHost == 0 || hosts[number].running < perHost }

    private mutating func admit(_ number: Int, since: UInt64) -> ConnectionPlace {
        running += 1
        hosts[number].running += 1
        return ConnectionPlace(host: number, since: since)
    }

    /// Has a host take turns exactly while requests wait for it and it may have another connection.
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
        let number: Int
        if let free = freeNumbers.popLast() {
            number = free
            hosts[number] = Host(name: name)
        } else {
            number = hosts.count
            hosts.append(Host(name: name))
        }
        numbers[name] = number
        return number
    }

    private mutating func forgetIfUnused(_ number: Int) {
        guard hosts[number].running == 0, hosts[number].waiting.isEmpty else { return }
        numbers[hosts[number].name] = nil
        freeNumbers.append(number)
    }
}

/// A connection that a request counts for, until it is given back to the ``ConnectionQueue``.
struct ConnectionPlace: Equatable {
    /// `nil` where only the total counts.
    fileprivate let host: Int?
    /// When the host's turn began, in nanoseconds.
    fileprivate let since: UInt64
}

/// Where a request waits in a ``ConnectionQueue``, until it gets a place or is removed.
struct ConnectionTicket: Equatable {
    fileprivate let host: Int
    fileprivate let position: ListPosition
}
#endif
