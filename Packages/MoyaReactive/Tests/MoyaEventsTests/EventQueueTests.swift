import MoyaCore
import MoyaReactiveTestSupport
import Testing

@testable @_spi(MoyaInternals) import MoyaEvents

@Suite struct EventQueueTests {
    @Test func `nothing is delivered that nobody asked for`() {
        var queue = EventQueue<Int>()
        queue.add(.value(1))
        #expect(queue.drain() == [])
        queue.ask(for: 1)
        #expect(queue.drain() == ["1"])
    }

    @Test func `what was asked for comes in order, and then the newest alone is kept`() {
        var queue = EventQueue<Int>()
        queue.ask(for: 2)
        for value in 1...5 { queue.add(.value(value)) }
        #expect(queue.drain() == ["1", "2"])
        queue.add(.value(6))
        queue.ask(for: 1)
        #expect(queue.drain() == ["6"])
    }

    @Test func `without a limit every value is kept`() {
        var queue = EventQueue<Int>()
        queue.ask(for: nil)
        for value in 1...5 { queue.add(.value(value)) }
        #expect(queue.drain() == ["1", "2", "3", "4", "5"])
    }

    @Test func `the end waits for the last value`() {
        var queue = EventQueue<Int>()
        queue.add(.value(1))
        queue.add(.finished)
        #expect(queue.drain() == [])
        queue.ask(for: 1)
        #expect(queue.drain() == ["1", "finished"])
        #expect(queue.isOver)
    }

    @Test func `an end without values needs no demand`() {
        var queue = EventQueue<Int>()
        queue.add(.finished)
        #expect(queue.drain() == ["finished"])
    }

    @Test func `a failure waits for what was asked for and for nothing else`() {
        var queue = EventQueue<Int>()
        queue.ask(for: 1)
        queue.add(.value(1))
        queue.add(.value(2))
        queue.add(.failed(.requestMapping("")))
        #expect(queue.drain() == ["1", "requestMapping"])
    }

    @Test func `nothing comes after the end`() {
        var queue = EventQueue<Int>()
        queue.ask(for: nil)
        queue.add(.finished)
        queue.add(.value(1))
        queue.add(.failed(.requestMapping("")))
        #expect(queue.drain() == ["finished"])
        queue.add(.value(2))
        #expect(queue.drain() == [])
    }

    @Test func `nothing comes after a close`() {
        var queue = EventQueue<Int>()
        queue.ask(for: nil)
        queue.add(.value(1))
        queue.close()
        queue.add(.value(2))
        queue.add(.finished)
        #expect(queue.drain() == [])
    }

    @Test func `one at a time has the right to deliver`() {
        var queue = EventQueue<Int>()
        var hasRight = queue.beginDelivery()
        #expect(hasRight)
        hasRight = queue.beginDelivery()
        #expect(!hasRight)
        #expect(queue.next() == nil)
        hasRight = queue.beginDelivery()
        #expect(hasRight)
    }

    @Test func `demand adds up and never overflows`() {
        var queue = EventQueue<Int>()
        queue.ask(for: -3)
        queue.ask(for: 1)
        queue.ask(for: 1)
        for value in 1...3 { queue.add(.value(value)) }
        #expect(queue.drain() == ["1", "2"])
        queue.ask(for: .max)
        queue.ask(for: .max)
        queue.add(.finished)
        #expect(queue.drain() == ["3", "finished"])
    }
}

extension EventQueue {
    /// Everything that can be delivered now.
    fileprivate mutating func drain() -> [String] {
        var events: [String] = []
        guard beginDelivery() else { return ["someone else delivers"] }
        while let event = next() {
            switch event {
            case .value(let value): events.append("\(value)")
            case .finished: events.append("finished")
            case .failed(let error): events.append(error.kind)
            }
        }
        return events
    }
}
