import Foundation
import MoyaCore
@testable import MoyaPlugins
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HedgingTransportTests {
    private let clock = TestClock()
    private let gate = GatedTransport()

    private func hedging(_ budget: RetryBudget? = nil) -> HedgingTransport {
        gate.hedging(after: 1, budget: budget, clock: clock)
    }

    /// Waits until the request has been sent, and once more when the delay was over.
    private func waitForHedge() async throws {
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 1)
        try await gate.waitForSends(2)
    }

    @Test func `a slow request is sent once more, and the first answer wins`() async throws {
        let transport = hedging()
        async let response = transport.send(.test())
        try await waitForHedge()
        gate.answer(2) { try .test($0, body: "second") }
        #expect(try await response.text == "second")
        #expect(gate.cancelCount == 1)
    }

    @Test func `a quick request is sent once`() async throws {
        let transport = hedging()
        async let response = transport.send(.test())
        try await gate.waitForSends(1)
        gate.answer()
        #expect(try await response.text == "answer")
        #expect(gate.sendCount == 1)
    }

    @Test func `a bad answer waits for the other`() async throws {
        let transport = hedging()
        async let response = transport.send(.test())
        try await waitForHedge()
        gate.answer(2) { try .test($0, 503) }
        gate.answer(1) { try .test($0, body: "first") }
        #expect(try await response.text == "first")
    }

    @Test func `of two that failed the caller gets the first`() async throws {
        let transport = hedging()
        async let code = urlErrorCode { try await transport.send(.test()) }
        try await waitForHedge()
        gate.answer(1) { _ in throw URLError(.networkConnectionLost) }
        // Both are over before anybody asks which came first.
        try await gate.waitForSends(2)
        gate.answer(2) { _ in throw URLError(.networkConnectionLost) }
        #expect(await code == .networkConnectionLost)
    }

    @Test func `a failure before the delay is the answer`() async throws {
        let transport = hedging()
        async let code = urlErrorCode { try await transport.send(.test()) }
        try await gate.waitForSends(1)
        gate.answer { _ in throw URLError(.cannotFindHost) }
        #expect(await code == .cannotFindHost)
        #expect(gate.sendCount == 1)
    }

    @Test(arguments: [
        TransportRequest.test("POST"), .test("PUT"), .test("DELETE"),
        .test("POST", headers: ["Idempotency-Key": "1"]),
        .test("GET", target: Choosy(isRetryable: false)),
        .test("GET", destination: .file(URL(fileURLWithPath: "/tmp/never"))),
    ])
    func `what must not be sent twice is not hedged`(request: TransportRequest) async throws {
        let stub = StubTransport { try .test($0) }
        let clock = TestClock()
        _ = try await stub.hedging(after: 1, clock: clock).send(request)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: [
        TransportRequest.test("HEAD"), .test("PUT", target: Choosy(isRetryable: true)),
    ])
    func `what is safe or may be repeated by its target's word is hedged`(
        request: TransportRequest
    ) async throws {
        let transport = hedging()
        async let response = transport.send(request)
        try await waitForHedge()
        gate.answer()
        #expect(try await response.head.statusCode == 200)
    }

    @Test func `without budget nothing is sent twice`() async throws {
        let transport = hedging(RetryBudget(ratio: 0.1, reserve: 0))
        async let response = transport.send(.test())
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 1)
        gate.answer()
        _ = try await response
        #expect(gate.sendCount == 1)
    }

    @Test func `cancelling ends both`() async throws {
        let transport = hedging()
        let task = Task { await urlErrorCode { try await transport.send(.test()) } }
        try await waitForHedge()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(gate.cancelCount == 2)
    }
}
