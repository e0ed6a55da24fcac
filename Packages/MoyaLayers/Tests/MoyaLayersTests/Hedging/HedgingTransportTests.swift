import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct HedgingTransportTests {
    private let clock = TestClock()
    private let gate = GatedTransport()

    private func hedging(_ budget: RetryBudget? = nil) -> some Transport {
        gate.hedging(after: 1, budget: budget, clock: clock)
    }

    /// Waits until the request has been sent, and has been hedged after the delay.
    private func waitForHedge() async throws {
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 1)
        try await gate.waitForSends(2)
    }

    @Test func `a slow request is hedged, and the first response wins`() async throws {
        let transport = hedging()
        async let response = transport.send(.test())
        try await waitForHedge()
        gate.answer(2) { try .test($0, body: "second") }
        #expect(try await response.text == "second")
        #expect(gate.cancelCount == 1)
    }

    @Test func `a request answered before the hedging delay is sent once`() async throws {
        let transport = hedging()
        async let response = transport.send(.test())
        try await gate.waitForSends(1)
        gate.answer()
        #expect(try await response.text == "answer")
        #expect(gate.sendCount == 1)
    }

    @Test func `a server error of one hedged attempt waits for the other attempt`() async throws {
        let transport = hedging()
        async let response = transport.send(.test())
        try await waitForHedge()
        gate.answer(2) { try .test($0, 503) }
        gate.answer(1) { try .test($0, body: "first") }
        #expect(try await response.text == "first")
    }

    @Test func `an error is returned when both hedged attempts fail`() async throws {
        let transport = hedging()
        async let code = urlErrorCode { try await transport.send(.test()) }
        try await waitForHedge()
        gate.answer(1) { _ in throw URLError(.networkConnectionLost) }
        // Both attempts must fail before the result is read.
        try await gate.waitForSends(2)
        gate.answer(2) { _ in throw URLError(.networkConnectionLost) }
        #expect(await code == .networkConnectionLost)
    }

    @Test func `a failure before the hedging delay is returned without a second attempt`()
        async throws
    {
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
    func `a request that is unsafe, not retryable or to a file is not hedged`(
        request: TransportRequest
    ) async throws {
        let stub = StubTransport { try .test($0) }
        let clock = TestClock()
        _ = try await stub.hedging(after: 1, clock: clock).send(request)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: [
        TransportRequest.test("HEAD"), .test("PUT", target: Choosy(isRetryable: true)),
    ])
    func `a HEAD request or a PUT request with a retryable target is hedged`(
        request: TransportRequest
    ) async throws {
        let transport = hedging()
        async let response = transport.send(request)
        try await waitForHedge()
        gate.answer()
        #expect(try await response.head.statusCode == 200)
    }

    @Test func `an exhausted retry budget prevents a hedged attempt`() async throws {
        let transport = hedging(RetryBudget(ratio: 0.1, reserve: 0))
        async let response = transport.send(.test())
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 1)
        gate.answer()
        _ = try await response
        #expect(gate.sendCount == 1)
    }

    @Test func `cancelling a hedged request cancels both attempts`() async throws {
        let transport = hedging()
        let task = Task { await urlErrorCode { try await transport.send(.test()) } }
        try await waitForHedge()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(gate.cancelCount == 2)
    }
}
