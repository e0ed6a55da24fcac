import Foundation
import MoyaCore
import MoyaInternals
import Testing

@Suite struct SimulatedProcessTests {
    private static func numbers(seed: UInt64) async -> [UInt64] {
        await SimulatedProcess.$current.withValue(SimulatedProcess(seed: seed)) {
            await Task {
                var generator = PauseGenerator()
                return (0..<4).map { _ in generator.next() }
            }.value
        }
    }

    @Test func `Simulations with equal seeds have equal random pauses`() async {
        let first = await Self.numbers(seed: 1)
        let again = await Self.numbers(seed: 1)
        let other = await Self.numbers(seed: 2)
        #expect(first == again)
        #expect(first != other)
        #expect(Set(first).count == 4)
    }

    @Test func `A simulation runs disk work on the calling thread`() async {
        let isSame = await SimulatedProcess.$current.withValue(SimulatedProcess(seed: 1)) {
            let here = pthread_self()
            return await DiskWork.perform { pthread_equal(here, pthread_self()) != 0 }
        }
        #expect(isSame)
    }
}
