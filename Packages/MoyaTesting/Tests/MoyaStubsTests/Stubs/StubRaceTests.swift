import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

/// Races between an answer, a cancellation and an end. Each waiter must be resumed exactly once.
@Suite(.timeLimit(.minutes(3))) struct StubRaceTests {
    private static let rounds = 300

    @Test func `a held request that is answered, cancelled and finished at once ends once`()
        async throws
    {
        let issues = Issues()
        for _ in 0..<Self.rounds {
            let far = ScriptedTransport(reporter: issues.reporter)
            let exchange = far.expect(.get, "/path")
            let sending = Task { try await far.send(.test()) }
            let waiting = Task { try await exchange.request() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { exchange.respond(.response(204)) }
                group.addTask { sending.cancel() }
                group.addTask { waiting.cancel() }
                group.addTask { far.finish() }
            }
            switch await sending.result {
            case .success(let response): #expect(response.head.statusCode == 204)
            case .failure(let error): #expect(error is ScriptError || error is URLError)
            }
            _ = await waiting.result
        }
    }

    @Test func `a sleep that is woken and cancelled at once ends once`() async {
        for _ in 0..<Self.rounds {
            let clock = TestClock()
            let sleeping = Task { try await clock.sleep(for: 1) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { clock.advance(by: 1) }
                group.addTask { sleeping.cancel() }
                group.addTask { _ = clock.advanceToNextSleeper() }
            }
            // Ends the task even if it falls asleep only now.
            sleeping.cancel()
            _ = await sleeping.result
            #expect(clock.sleeperCount == 0)
        }
    }

    @Test func `stubs can be added and reset while requests are sent`() async throws {
        let transport = StubTransport { request in try .stub(status: 299, for: request) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<Self.rounds {
                        switch (task + round) % 4 {
                        case 0: transport.on(.get, "/path").respond(.response(201))
                        case 1: transport.reset()
                        default:
                            let status = try await transport.send(.test()).head.statusCode
                            #expect(status == 201 || status == 299)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        transport.reset()
        #expect(transport.requests.isEmpty)
        #expect(transport.unexpectedRequests.isEmpty)
    }
}
