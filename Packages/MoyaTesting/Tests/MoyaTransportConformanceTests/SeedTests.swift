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
                let error = await #expect(throws: (any Error).self) {
                    try await behaviour.run(on: StubTransport(.response()))
                }
                let reason = try #require(error)
                #expect("\(reason)".hasPrefix("MOYA_SEED must be a number from 0"))
            }
        }
    }
#endif
