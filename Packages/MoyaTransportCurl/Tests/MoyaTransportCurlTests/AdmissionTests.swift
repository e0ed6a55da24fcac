import Testing

@testable import MoyaTransportCurl

@Suite struct AdmissionTests {
    @Test func `the connection queue admits requests up to the limit and the rest in order`() {
        let admission = Door<Int>(total: 2, perOrigin: 0)
        #expect(admission.enter(1, for: "a"))
        #expect(admission.enter(2, for: "a"))
        #expect(!admission.enter(3, for: "a"))
        #expect(!admission.enter(4, for: "a"))
        #expect(admission.waiting == [3, 4])
        #expect(admission.leave("a") == 3)
        #expect(admission.leave("a") == 4)
        #expect(admission.leave("a") == nil)
        #expect(admission.enter(5, for: "a"))
    }

    @Test func `a host at its connection limit does not delay requests to other hosts`() {
        let admission = Door<Int>(total: 0, perOrigin: 1)
        #expect(admission.enter(1, for: "a"))
        #expect(!admission.enter(2, for: "a"))
        #expect(admission.enter(3, for: "b"))
        #expect(admission.leave("b") == nil)
        #expect(admission.leave("a") == 2)
    }

    @Test func `queued hosts take turns when a connection becomes free`() {
        let admission = Door<String>(total: 1, perOrigin: 0)
        #expect(admission.enter("a1", for: "a"))
        for name in ["a2", "a3", "a4"] { #expect(!admission.enter(name, for: "a")) }
        #expect(!admission.enter("b1", for: "b"))
        var order: [String] = []
        var origin = "a"
        while let next = admission.leaveNamed(origin) {
            order.append(next.element)
            origin = next.origin
        }
        #expect(order == ["a2", "b1", "a3", "a4"])
    }

    @Test func `a free connection goes to a queued request before a new one`() {
        let admission = Door<Int>(total: 1, perOrigin: 0)
        #expect(admission.enter(1, for: "a"))
        #expect(!admission.enter(2, for: "a"))
        #expect(admission.leave("a") == 2)
        #expect(!admission.enter(3, for: "b"))
        #expect(admission.leave("a") == 3)
        #expect(admission.leave("b") == nil)
    }

    @Test func `requests enter without naming a host where only the total is limited`() {
        let admission = Door<Int>(total: 2, perOrigin: 0)
        #expect(admission.enterFreely())
        #expect(admission.enterFreely())
        #expect(!admission.enterFreely())
        #expect(!admission.enter(3, for: "a"))
        #expect(admission.leave(nil) == 3)
        #expect(admission.leave("a") == nil)
        #expect(admission.enterFreely())
        #expect(!Door<Int>(total: 2, perOrigin: 1).enterFreely())
    }

    @Test
    func `queued requests released for a multiplexing host no longer count against the limit`() {
        let admission = Door<Int>(total: 2, perOrigin: 0)
        #expect(admission.enter(1, for: "a"))
        #expect(admission.enter(2, for: "a"))
        for number in 3...5 { #expect(!admission.enter(number, for: "a")) }
        #expect(!admission.enter(6, for: "b"))
        #expect(admission.leave("a") == 3)
        #expect(admission.releaseWaiting(for: "a") == [4, 5])
        #expect(admission.releaseWaiting(for: "a") == [])
        #expect(admission.releaseWaiting(for: "nobody's") == [])
        #expect(admission.waiting == [6])
        #expect(admission.leave("a") == 6)
        #expect(admission.leave("a") == nil)
        #expect(admission.leave("b") == nil)
        #expect(admission.enterFreely())
    }

    @Test func `removing cancelled requests keeps the order of the other queued requests`() {
        let admission = Door<Int>(total: 1, perOrigin: 0)
        #expect(admission.enter(0, for: "a"))
        for number in 1...6 { #expect(!admission.enter(number, for: number % 3 == 0 ? "b" : "a")) }
        admission.removeWaiting { $0 % 2 == 0 || $0 == 3 }
        #expect(admission.waiting == [1, 5])
        #expect(admission.waitingCount == 2)
        #expect(admission.leave("a") == 1)
        #expect(admission.leave("a") == 5)
        #expect(admission.leave("a") == nil)
        #expect(admission.enterFreely())
    }

    @Test func `a queue of 5,000 requests drains in order`() {
        let admission = Door<Int>(total: 1, perOrigin: 0)
        #expect(admission.enter(0, for: "a"))
        for number in 1...5000 { #expect(!admission.enter(number, for: "a")) }
        for number in 1...5000 { #expect(admission.leave("a") == number) }
        #expect(admission.leave("a") == nil)
        #expect(admission.waiting.isEmpty)
    }
}

/// An admission that `#expect` may change.
private final class Door<Element> {
    private var admission: Admission<Element>

    init(total: Int, perOrigin: Int) {
        admission = Admission(total: total, perOrigin: perOrigin)
    }

    var waiting: [Element] { admission.waiting }
    var waitingCount: Int { admission.waitingCount }

    func releaseWaiting(for origin: String) -> [Element] { admission.releaseWaiting(for: origin) }
    func removeWaiting(where isGone: (Element) -> Bool) { admission.removeWaiting(where: isGone) }

    func enter(_ element: Element, for origin: String) -> Bool {
        admission.enter(element, for: origin)
    }

    /// Who may run now.
    func enterFreely() -> Bool { admission.enterFreely() }

    func leave(_ origin: String?) -> Element? { admission.leave(origin)?.element }

    func leaveNamed(_ origin: String) -> (element: Element, origin: String)? {
        admission.leave(origin)
    }
}
