import Foundation
import Testing

@testable import MoyaCore

/// The state behind a reference: `#expect` cannot change a value.
private final class Machine {
    private var state = ExchangeState(first: Waiter(id: 0, queue: nil, completion: { _ in }))

    func begin() -> Bool { state.begin() }
    func beginLanding() -> Bool { state.beginLanding() }
    func run() -> Bool { state.run(cancel: {}) }
    func join() -> Int? { state.join(queue: nil, completion: { _ in })?.id }
    func cancel(_ id: Int) -> String { name(state.cancel(id)) }
    func cancelAll() -> String { name(state.cancelAll()) }
    func finish() -> [Int]? { state.finish()?.map(\.id) }
    func whenOver(_ action: @escaping @Sendable () -> Void) { state.whenOver(action) }
    func release() -> Bool { state.release() != nil }
    var waiting: Int { state.waiters.count }

    private func name(_ action: ExchangeState.CancelAction) -> String {
        switch action {
        case .nothing: "nothing"
        case .dismiss(let waiter): "dismiss \(waiter.id)"
        case .finish: "finish"
        case .stop: "stop"
        }
    }
}

@Suite struct ExchangeStateTests {
    @Test func `an exchange begins once`() {
        let state = Machine()
        #expect(state.begin())
        #expect(!state.begin())
    }

    @Test func `an exchange cancelled before its start does not begin`() {
        let state = Machine()
        #expect(state.cancel(0) == "finish")
        #expect(!state.begin())
    }

    @Test func `an exchange cancelled while starting is stopped as soon as it runs`() {
        let state = Machine()
        _ = state.begin()
        #expect(state.cancel(0) == "nothing")
        #expect(state.run() == true)
    }

    @Test func `cancelling a running exchange stops the exchange once`() {
        let state = Machine()
        _ = state.begin()
        #expect(state.run() == false)
        #expect(state.cancel(0) == "stop")
        #expect(state.cancel(0) == "nothing")
        #expect(state.cancelAll() == "nothing")
    }

    @Test func `delivery of a response file begins before a cancel or not at all`() {
        let first = Machine()
        _ = first.begin()
        _ = first.run()
        #expect(first.beginLanding())
        #expect(first.cancel(0) == "nothing")
        #expect(first.cancelAll() == "nothing")
        #expect(first.finish() == [0])
        let second = Machine()
        _ = second.begin()
        _ = second.run()
        #expect(second.cancel(0) == "stop")
        #expect(!second.beginLanding())
        let third = Machine()
        _ = third.begin()
        #expect(third.cancel(0) == "nothing")
        #expect(!third.beginLanding())
        // What cancels it still hears of that.
        #expect(third.run())
    }

    @Test
    func `the cancel of one waiter dismisses that waiter, the last cancel stops the exchange`() {
        let state = Machine()
        let joiner = state.join()
        #expect(joiner == 1)
        _ = state.begin()
        _ = state.run()
        #expect(state.cancel(0) == "dismiss 0")
        #expect(state.cancel(0) == "nothing")
        #expect(state.cancel(1) == "stop")
    }

    @Test func `a finished exchange returns its waiters once`() {
        let state = Machine()
        _ = state.join()
        #expect(state.finish() == [0, 1])
        #expect(state.finish() == nil)
    }

    @Test func `a finished exchange keeps its waiters until release, and releases once`() {
        let state = Machine()
        state.whenOver {}
        _ = state.join()
        _ = state.finish()
        #expect(state.waiting == 2)
        #expect(state.release())
        #expect(state.waiting == 0)
        #expect(!state.release())
    }

    @Test func `no waiter joins a finished or cancelled exchange`() {
        let finished = Machine()
        _ = finished.finish()
        #expect(finished.join() == nil)
        let cancelled = Machine()
        _ = cancelled.cancelAll()
        #expect(cancelled.join() == nil)
    }

    @Test func `cancelling a finished exchange does nothing`() {
        let state = Machine()
        _ = state.finish()
        #expect(state.cancel(0) == "nothing")
        #expect(state.cancelAll() == "nothing")
        #expect(state.run() == false)
    }

    @Test func `cancelAll ends an exchange before its start and while running`() {
        let waiting = Machine()
        #expect(waiting.cancelAll() == "finish")
        let running = Machine()
        _ = running.begin()
        _ = running.run()
        _ = running.join()
        #expect(running.cancelAll() == "stop")
    }
}

@Suite struct AnswerTests {
    @Test func `a waiter receives the first of two values`() async {
        let answer = Answer<Int>()
        answer.give(1)
        answer.give(2)
        #expect(await answer.wait(onCancel: {}) == 1)
    }

    @Test func `a waiter receives a value given before or after the wait begins`() async {
        for value in 0..<500 {
            let answer = Answer<Int>()
            DispatchQueue.global().async { answer.give(value) }
            #expect(await answer.wait(onCancel: {}) == value)
        }
    }
}
