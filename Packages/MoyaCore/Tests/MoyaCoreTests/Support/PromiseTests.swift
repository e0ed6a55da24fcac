import Foundation
import MoyaInternals
import Testing

@Suite(.timeLimit(.minutes(3))) struct PromiseTests {
    @Test func `a waiter of a promise receives the first of two values`() async {
        let promise = Promise<Int>()
        promise.fulfill(1)
        promise.fulfill(2)
        #expect(await promise.value(onCancel: {}) == 1)
    }

    @Test func `a waiter of a promise receives a value given before or after the wait begins`()
        async
    {
        for value in 0..<500 {
            let promise = Promise<Int>()
            DispatchQueue.global().async { promise.fulfill(value) }
            #expect(await promise.value(onCancel: {}) == value)
        }
    }
}
