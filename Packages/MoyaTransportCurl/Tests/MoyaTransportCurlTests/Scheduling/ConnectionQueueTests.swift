import Testing

@testable import MoyaTransportCurl

@Suite struct ConnectionQueueTests {
    @Test func `the connection queue admits requests up to the limit and the rest in order`() {
        let queue = Door<Int>(total: 2, perHost: 0)
        #expect(queue.enter(1, for: "a"))
        #expect(queue.enter(2, for: "a"))
        #expect(!queue.enter(3, for: "a"))
        #expect(!queue.enter(4, for: "a"))
        #expect(queue.waiting == [3, 4])
        #expect(queue.leave("a") == 3)
        #expect(queue.leave("a") == 4)
        #expect(queue.leave("a") == nil)
        #expect(queue.enter(5, for: "a"))
    }

    @Test func `a host at its connection limit does not delay requests to other hosts`() {
        let queue = Door<Int>(total: 0, perHost: 1)
        #expect(queue.enter(1, for: "a"))
        #expect(!queue.enter(2, for: "a"))
        #expect(queue.enter(3, for: "b"))
        #expect(queue.leave("b") == nil)
        #expect(queue.leave("a") == 2)
    }

    @Test func `queued hosts take turns when a connection becomes free`() {
        let queue = Door<String>(total: 1, perHost: 0)
        #expect(queue.enter("a1", for: "a"))
        for name in ["a2", "a3", "a4"] { #expect(!queue.enter(name, for: "a")) }
        #expect(!queue.enter("b1", for: "b"))
        var order: [String] = []
        var host = "a"
        while let next = queue.leaveNamed(host) {
            order.append(next.element)
            host = next.host
        }
        #expect(order == ["a2", "b1", "a3", "a4"])
    }

    @Test func `a host keeps a connection for its queued requests until its turn is over`() {
        let queue = Door<String>(total: 1, perHost: 0)
        queue.requestTime = 40_000_000
        #expect(queue.enter("a1", for: "a"))
        for number in 2...9 { #expect(!queue.enter("a\(number)", for: "a")) }
        for number in 1...4 { #expect(!queue.enter("b\(number)", for: "b")) }
        var order: [String] = []
        var host = "a"
        while let next = queue.leaveNamed(host) {
            order.append(next.element)
            host = next.host
        }
        // Each turn has three requests of 40 ms. Host a has two turns at first: its admission began
        // one, and it queued before host b.
        let expected = "a2 a3 a4 a5 a6 b1 b2 b3 a7 a8 a9 b4"
        #expect(order.joined(separator: " ") == expected)
    }

    @Test func `a host at its limit keeps a connection for its own queued requests`() {
        let queue = Door<String>(total: 2, perHost: 1)
        queue.requestTime = 1
        #expect(queue.enter("a1", for: "a"))
        #expect(!queue.enter("a2", for: "a"))
        #expect(queue.enter("b1", for: "b"))
        #expect(!queue.enter("c1", for: "c"))
        #expect(queue.leave("a") == "a2")
        #expect(queue.leave("a") == "c1")
        #expect(queue.leave("b") == nil)
        #expect(queue.leave("c") == nil)
        #expect(queue.waitingCount == 0)
    }

    @Test func `a free connection goes to a queued request before a new one`() {
        let queue = Door<Int>(total: 1, perHost: 0)
        #expect(queue.enter(1, for: "a"))
        #expect(!queue.enter(2, for: "a"))
        #expect(queue.leave("a") == 2)
        #expect(!queue.enter(3, for: "b"))
        #expect(queue.leave("a") == 3)
        #expect(queue.leave("b") == nil)
    }

    @Test
    func `queued requests released for a multiplexing host no longer count against the limit`() {
        let queue = Door<Int>(total: 2, perHost: 0)
        #expect(queue.enter(1, for: "a"))
        #expect(queue.enter(2, for: "a"))
        for number in 3...5 { #expect(!queue.enter(number, for: "a")) }
        #expect(!queue.enter(6, for: "b"))
        #expect(queue.leave("a") == 3)
        #expect(queue.beginSharing("a") == [4, 5])
        #expect(queue.beginSharing("a") == [])
        #expect(queue.beginSharing("nobody's") == [])
        #expect(queue.waiting == [6])
        #expect(queue.leave("a") == 6)
        #expect(queue.leave("a") == nil)
        #expect(queue.leave("b") == nil)
        #expect(queue.enter(7, for: "c"))
        #expect(queue.enter(8, for: "c"))
    }

    @Test func `removing cancelled requests keeps the order of the other queued requests`() {
        let queue = Door<Int>(total: 1, perHost: 0)
        #expect(queue.enter(0, for: "a"))
        for number in 1...6 { #expect(!queue.enter(number, for: number % 3 == 0 ? "b" : "a")) }
        queue.cancel { $0 % 2 == 0 || $0 == 3 }
        #expect(queue.waiting == [1, 5])
        #expect(queue.waitingCount == 2)
        #expect(queue.leave("a") == 1)
        #expect(queue.leave("a") == 5)
        #expect(queue.leave("a") == nil)
        #expect(queue.enter(7, for: "a"))
    }

    @Test func `a queue of 5,000 requests drains in order`() {
        let queue = Door<Int>(total: 1, perHost: 0)
        #expect(queue.enter(0, for: "a"))
        for number in 1...5000 { #expect(!queue.enter(number, for: "a")) }
        for number in 1...5000 { #expect(queue.leave("a") == number) }
        #expect(queue.leave("a") == nil)
        #expect(queue.waiting.isEmpty)
    }

    @Test func `a host at its limit takes turns again once one of its connections is free`() {
        let queue = Door<String>(total: 2, perHost: 1)
        #expect(queue.enter("a1", for: "a"))
        #expect(!queue.enter("a2", for: "a"))
        #expect(queue.enter("b1", for: "b"))
        #expect(!queue.enter("c1", for: "c"))
        #expect(queue.leave("b") == "c1")
        #expect(queue.leave("c") == nil)
        #expect(queue.leave("a") == "a2")
    }

    @Test func `a multiplexing host needs no places until it stops multiplexing`() {
        var queue = ConnectionQueue<Int>(total: 0, perHost: 1)
        #expect(queue.beginSharing("a").isEmpty)
        for number in 0..<3 {
            guard case .shared = queue.enter(number, for: "a", now: 0) else {
                Issue.record("The request counts for a connection.")
                continue
            }
        }
        queue.endSharing("a")
        guard case .admitted = queue.enter(3, for: "a", now: 0),
            case .queued = queue.enter(4, for: "a", now: 0)
        else {
            Issue.record("The limit does not count.")
            return
        }
    }

    @Test func `a cancelled request passes its turn to the next host`() {
        let queue = Door<String>(total: 1, perHost: 0)
        #expect(queue.enter("a1", for: "a"))
        #expect(!queue.enter("b1", for: "b"))
        #expect(!queue.enter("c1", for: "c"))
        queue.cancel { $0 == "b1" }
        #expect(queue.leave("a") == "c1")
        #expect(queue.leave("c") == nil)
    }

    /// 100,000 requests for 1,000 hosts over 64 connections. Every other request is cancelled while
    /// it is queued.
    @Test(.timeLimit(.minutes(1)))
    func `100,000 requests for 1,000 hosts each leave the queue once, served or cancelled`() {
        var queue = ConnectionQueue<Int>(total: 64, perHost: 8)
        var places: [ConnectionPlace] = []
        var tickets: [Int: ConnectionTicket] = [:]
        for number in 0..<100_000 {
            switch queue.enter(number, for: "host \(number % 1000)", now: 0) {
            case .admitted(let place): places.append(place)
            case .queued(let ticket): tickets[number] = ticket
            case .shared: Issue.record("No host shares connections.")
            }
        }
        #expect(places.count == 64)
        for (number, ticket) in tickets where number % 2 == 0 {
            queue.remove(ticket)
            tickets[number] = nil
        }
        #expect(queue.waitingCount == tickets.count)
        var now: UInt64 = 0
        while let place = places.popLast() {
            now += 10_000_000
            guard let next = queue.leave(place, now: now) else { continue }
            if tickets.removeValue(forKey: next.element) == nil {
                Issue.record("Request \(next.element) leaves the queue twice.")
            }
            places.append(next.place)
        }
        #expect(tickets.isEmpty)
        #expect(queue.waitingCount == 0)
    }
}

/// Wraps a connection queue in a class for `#expect`. Identifies requests by their hosts and
/// elements.
private final class Door<Element: Hashable> {
    private var queue: ConnectionQueue<Element>
    private var hosts: [Element: String] = [:]
    private var tickets: [Element: ConnectionTicket] = [:]
    private var places: [String: [ConnectionPlace]] = [:]
    /// The simulated time, in nanoseconds. By default each request takes longer than a host's turn.
    private var now: UInt64 = 0
    var requestTime: UInt64 = 1_000_000_000

    init(total: Int, perHost: Int) {
        queue = ConnectionQueue(total: total, perHost: perHost)
    }

    var waiting: [Element] { queue.waiting }
    var waitingCount: Int { queue.waitingCount }

    func beginSharing(_ host: String) -> [Element] { queue.beginSharing(host) }

    func cancel(where isGone: (Element) -> Bool) {
        for element in queue.waiting where isGone(element) {
            if let ticket = tickets[element] { queue.remove(ticket) }
        }
    }

    func enter(_ element: Element, for host: String) -> Bool {
        hosts[element] = host
        switch queue.enter(element, for: host, now: now) {
        case .admitted(let place):
            places[host, default: []].append(place)
            return true
        case .queued(let ticket):
            tickets[element] = ticket
            return false
        case .shared: return true
        }
    }

    func leave(_ host: String) -> Element? { leaveNamed(host)?.element }

    func leaveNamed(_ host: String) -> (element: Element, host: String)? {
        now += requestTime
        guard let place = places[host]?.popLast(), let next = queue.leave(place, now: now),
            let name = hosts[next.element]
        else { return nil }
        places[name, default: []].append(next.place)
        return (next.element, name)
    }
}
