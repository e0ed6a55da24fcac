import Foundation
import MoyaCore
import MoyaInternals
import Testing

@Suite struct DiskWorkTests {
    private final class Witness: Sendable {}

    @Test func `DiskWork releases its closure before perform returns`() async {
        let count = Locked(0)
        // The queue retains the closure only briefly. Many concurrent rounds make that observable.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    for _ in 0..<10_000 where await Self.leavesSomething() {
                        count.withLock { $0 += 1 }
                    }
                }
            }
        }
        #expect(count.withLock(\.self) == 0)
    }

    @Test func `A task may replace how its disk work starts`() async {
        let isSame = await DiskWork.$start.withValue({ queue, work in queue.sync(execute: work) }) {
            let here = pthread_self()
            return await DiskWork.perform { pthread_equal(here, pthread_self()) != 0 }
        }
        #expect(isSame)
    }

    private static func leavesSomething() async -> Bool {
        weak var left: Witness?
        do {
            let witness = Witness()
            left = witness
            await DiskWork.perform { withExtendedLifetime(witness) {} }
        }
        return left != nil
    }
}
