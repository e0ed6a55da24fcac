import Foundation
import Testing

@testable import MoyaCore

@Suite struct ExchangeWaiterTests {
    private func exchange() -> ExchangeState {
        ExchangeState(first: Waiter(id: 0, queue: nil, completion: { _ in }))
    }

    @Test func `Each waiter that joins an exchange has a number of its own`() {
        var state = exchange()
        let numbers = (0..<3).map { _ in state.join(queue: nil, completion: { _ in })?.id }
        #expect(numbers == [1, 2, 3])
    }

    @Test func `Cancelling the second waiter dismisses the second waiter`() {
        var state = exchange()
        let ids = (0..<2).compactMap { _ in state.join(queue: nil, completion: { _ in })?.id }
        let action = state.cancel(ids.last ?? 0)
        guard case .dismiss(let waiter) = action else {
            Issue.record("The waiter was not dismissed: \(action)")
            return
        }
        #expect(waiter.id == ids.last)
        #expect(state.waiters.map(\.id) == [0, 1])
    }

    @Test func `An exchange that was not held back is not resumed`() {
        var state = exchange()
        let beforeBegin = state.resume()
        let begins = state.begin()
        let whileStarting = state.resume()
        #expect((beforeBegin, begins, whileStarting) == (false, true, false))
    }

    @Test func `An exchange that was held back is resumed once`() {
        var state = exchange()
        let begins = state.begin()
        state.hold()
        let (first, second) = (state.resume(), state.resume())
        #expect((begins, first, second) == (true, true, false))
    }

    @Test func `Progress with a total of 0 stays 0 until the response is there`() {
        let progress = Progress(totalUnitCount: 0)
        progress.completedUnitCount = 5
        #expect(ProgressResponse(progress: progress).progress == 0)
    }
}
