import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite(.seeded) struct TimerHeapTests {
    @Test func `timers are due in the order of their times, whatever the order of their addition`()
    {
        var timers = TimerHeap<Int>()
        for time in [5, 1, 4, 2, 3] as [UInt64] { _ = timers.add(Int(time), at: time) }
        #expect(timers.next == 1)
        #expect(timers.popDue(0) == nil)
        #expect((0..<3).map { _ in timers.popDue(3) } == [1, 2, 3])
        #expect(timers.popDue(3) == nil)
        #expect(timers.next == 4)
    }

    @Test func `a timer moved forward is due earlier and never later than before`() {
        var timers = TimerHeap<String>()
        let first = timers.add("first", at: 10)
        let second = timers.add("second", at: 20)
        timers.moveForward(second, to: 5)
        timers.moveForward(first, to: 15)
        #expect(timers.popDue(10) == "second")
        #expect(timers.popDue(10) == "first")
        #expect(timers.next == .max)
    }

    @Test func `a removed timer is never due`() {
        var timers = TimerHeap<Int>()
        let handles = (0..<10).map { timers.add($0, at: UInt64($0)) }
        for number in [0, 9, 4] { #expect(timers.remove(handles[number]) == number) }
        var due: [Int] = []
        while let number = timers.popDue(.max - 1) { due.append(number) }
        #expect(due == [1, 2, 3, 5, 6, 7, 8])
    }

    /// Compares the heap with a dictionary that is searched linearly.
    @Test func `random additions, moves, removals and due timers agree with a linear search`() {
        var random = SeededGenerator()
        var timers = TimerHeap<Int>()
        var expected: [Int: (time: UInt64, timer: TimerHeap<Int>.Timer)] = [:]
        for number in 0..<2000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let time = UInt64.random(in: 0..<1000, using: &random)
                expected[number] = (time, timers.add(number, at: time))
            case 2:
                guard let other = expected.keys.sorted().randomElement(using: &random),
                    let entry = expected[other]
                else { continue }
                let time = UInt64.random(in: 0..<1000, using: &random)
                timers.moveForward(entry.timer, to: time)
                expected[other]?.time = min(entry.time, time)
                if number % 2 == 0 {
                    #expect(timers.remove(entry.timer) == other)
                    expected[other] = nil
                }
            default:
                let now = UInt64.random(in: 0..<20, using: &random)
                let first = expected.values.map(\.time).min() ?? .max
                #expect(timers.next == first)
                let due = timers.popDue(now)
                #expect((due != nil) == (first <= now))
                if let due {
                    #expect(expected[due]?.time == first)
                    expected[due] = nil
                }
            }
            #expect(timers.count == expected.count)
        }
    }
}
