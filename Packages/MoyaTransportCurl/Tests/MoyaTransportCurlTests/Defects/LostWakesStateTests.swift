import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite struct LostWakesStateTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test(.requires(.forgottenTransfers))
    func `waiting requests are looked for a quarter of a second after one began`() {
        var wakes = LostWakes()
        #expect(wakes.due == .max)
        wakes.noteBegin(1000)
        wakes.noteBegin(2000)
        #expect(wakes.due == 250_001_000)
        #expect(wakes.takeDue(250_000_999) == false)
        #expect(wakes.takeDue(250_001_000) == true)
        #expect(wakes.due == .max)
        wakes.noteLook(at: 0, now: 250_001_000)
        #expect(wakes.due == .max)
    }

    @Test func `the next look for lost wakes is later if many requests wait`() {
        var wakes = LostWakes()
        wakes.noteLook(at: 1, now: 0)
        #expect(wakes.due == 250 * Self.millisecond)
        wakes.noteLook(at: 10_000, now: 0)
        #expect(wakes.due == 1000 * Self.millisecond)
    }

    @Test func `each wait before a request is woken is twice as long as the one before`() {
        var (queued, woken): (UInt64, [UInt64]) = (0, [])
        for time in (0...40).map({ $0 * 100 * Self.millisecond })
        where LostWakes.isOverdue(begun: 0, queued: queued, now: time) {
            queued = time
            woken.append(time / Self.millisecond)
        }
        #expect(woken == [300, 600, 1200, 2400])
    }

    @Test func `the clock of a wake may be behind that of the start`() {
        var times = AttemptTimes(started: 10)
        times.queueAgain(at: 5)
        #expect(times.queued == 10)
        #expect(!LostWakes.isOverdue(begun: 10, queued: 10, now: 5))
        times.queueAgain(at: 20)
        #expect(times.queued == 20)
    }

    @Test func `a request is woken unless its host is connecting, or served while in use`() {
        var wakes = LostWakes()
        wakes.noteLook(at: 1, now: 10)
        wakes.noteEnd(of: "served", queued: 9)
        func wakesHost(_ host: String, _ state: HostStates.State, after time: UInt64) -> Bool {
            wakes.wakes(host, in: state, begun: 0, queued: 0, now: time * Self.millisecond)
        }
        #expect(wakesHost("served", .unused, after: 250))
        #expect(!wakesHost("a", .connecting, after: 10_000))
        #expect(wakesHost("a", .inUse, after: 250))
        #expect(!wakesHost("a", .inUse, after: 249))
        #expect(!wakesHost("served", .inUse, after: 250))
    }

    @Test func `a host is served if a request goes on that waited before the last look`() {
        var wakes = LostWakes()
        wakes.noteEnd(of: "early", queued: 5)
        wakes.noteLook(at: 1, now: 10)
        wakes.noteEnd(of: "new", queued: 10)
        wakes.noteEnd(of: "a", queued: 9)
        #expect(["early", "new", "a"].map(wakes.isServed) == [false, false, true])
        wakes.noteLook(at: 1, now: 20)
        #expect(!wakes.isServed("a"))
    }
}
