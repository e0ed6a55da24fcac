import MoyaCore
import MoyaReactiveTestSupport
import Testing

@testable import MoyaEvents

@Suite struct EventQueueTests {
    @Test func `A value is delivered only after demand for it`() {
        var queue = EventQueue<Int>()
        queue.add(.value(1))
        #expect(queue.drain() == [])
        queue.ask(for: 1)
        #expect(queue.drain() == ["1"])
    }

    @Test func `Values beyond the demand are dropped, except the newest`() {
        var queue = EventQueue<Int>()
        queue.ask(for: 2)
        for value in 1...5 { queue.add(.value(value)) }
        #expect(queue.drain() == ["1", "2"])
        queue.add(.value(6))
        queue.ask(for: 1)
        #expect(queue.drain() == ["6"])
    }

    @Test func `Unlimited demand delivers every value in order`() {
        var queue = EventQueue<Int>()
        queue.ask(for: nil)
        for value in 1...5 { queue.add(.value(value)) }
        #expect(queue.drain() == ["1", "2", "3", "4", "5"])
    }

    @Test func `The end of a queue is delivered after the last value has been demanded`() {
        var queue = EventQueue<Int>()
        queue.add(.value(1))
        queue.add(.finished)
        #expect(queue.drain() == [])
        queue.ask(for: 1)
        #expect(queue.drain() == ["1", "finished"])
        #expect(queue.isOver)
    }

    @Test func `The end of a queue without values is delivered without demand`() {
        var queue = EventQueue<Int>()
        queue.add(.finished)
        #expect(queue.drain() == ["finished"])
    }

    @Test
    func `A failure is delivered after the demanded values and drops the values not demanded`() {
        var queue = EventQueue<Int>()
        queue.ask(for: 1)
        queue.add(.value(1))
        queue.add(.value(2))
        queue.add(.failed(.requestMapping("")))
        #expect(queue.drain() == ["1", "requestMapping"])
    }

    @Test func `A queue delivers no event after its end`() {
        var queue = EventQueue<Int>()
        queue.ask(for: nil)
        queue.add(.finished)
        queue.add(.value(1))
        queue.add(.failed(.requestMapping("")))
        #expect(queue.drain() == ["finished"])
        queue.add(.value(2))
        #expect(queue.drain() == [])
    }

    @Test func `A closed queue delivers no event`() {
        var queue = EventQueue<Int>()
        queue.ask(for: nil)
        queue.add(.value(1))
        queue.close()
        queue.add(.value(2))
        queue.add(.finished)
        #expect(queue.drain() == [])
    }

    @Test func `Only one thread at a time may deliver the events of a queue`() {
        var queue = EventQueue<Int>()
        var hasRight = queue.beginDelivery()
        #expect(hasRight)
        hasRight = queue.beginDelivery()
        #expect(!hasRight)
        #expect(queue.next() == nil)
        hasRight = queue.beginDelivery()
        #expect(hasRight)
    }

    @Test func `Demands add up, ignore negative counts and do not overflow`() {
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
    /// Delivers and returns all events that are currently deliverable.
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
