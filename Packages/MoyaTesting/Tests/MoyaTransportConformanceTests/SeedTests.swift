import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportConformance
import Testing

#if os(macOS) || os(Linux)
    @Suite struct SeedTests {
        // In a separate process, because a process reads its seed once.
        @Test func `A conformance case fails if MOYA_SEED is not a number`() async {
            await #expect(processExitsWith: .success) {
                setenv(SeededGenerator.variable, "7x", 1)
                let behaviour = try #require(TransportConformance.cases.first)
                await #expect(throws: SeededGenerator.UnreadableSeed.self) {
                    try await behaviour.run(on: StubTransport(.response()))
                }
            }
        }
    }
#endif
