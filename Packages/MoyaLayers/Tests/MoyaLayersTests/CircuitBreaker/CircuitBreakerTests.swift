import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct CircuitBreakerTests {
    private let clock = TestClock()
    private let status = Locked(503)

    private func server() -> StubTransport {
        let status = status
        return StubTransport { try .test($0, status.withLock { $0 }) }
    }

    private func fail(_ transport: some Transport, times: Int) async throws {
        for _ in 0..<times { _ = try await transport.send(.test()) }
    }

    @Test func `a circuit breaker opens after five failures and sends nothing`() async throws {
        let server = server()
        let transport = server.breakingCircuit(with: CircuitBreaker(clock: clock))
        try await fail(transport, times: 5)
        clock.advance(by: 10)
        let error = await thrown { try await transport.send(.test()) }
        #expect(
            error as? CircuitOpenError
                == CircuitOpenError(origin: "http://host.test:80", retryAfter: 20))
        #expect(server.requests.count == 5)
    }

    @Test func `an open circuit does not affect other origins`() async throws {
        let transport = server().breakingCircuit(with: CircuitBreaker(clock: clock))
        try await fail(transport, times: 5)
        for address in ["https://host.test", "http://host.test:81", "http://else.test"] {
            _ = try await transport.send(.test("GET", address))
        }
        #expect(
            await thrown { try await transport.send(.test("GET", "HTTP://HOST.test:80/x")) }
                is CircuitOpenError)
    }

    @Test func `one probe after the pause closes the circuit`() async throws {
        let gate = GatedTransport()
        let transport = gate.breakingCircuit(with: CircuitBreaker(clock: clock))
        for number in 1...5 {
            async let response = transport.send(.test())
            try await gate.waitForSends(number)
            gate.answer { try .test($0, 503) }
            _ = try await response
        }
        clock.advance(by: 30)
        async let probe = transport.send(.test())
        try await gate.waitForSends(6)
        #expect(await thrown { try await transport.send(.test()) } is CircuitOpenError)
        gate.answer()
        _ = try await probe
        async let next = transport.send(.test())
        try await gate.waitForSends(7)
        gate.answer()
        #expect(try await next.head.statusCode == 200)
    }

    @Test func `a failed probe restarts the pause of the circuit`() async throws {
        let transport = server().breakingCircuit(with: CircuitBreaker(clock: clock))
        try await fail(transport, times: 5)
        clock.advance(by: 30)
        #expect(try await transport.send(.test()).head.statusCode == 503)
        let error = await thrown { try await transport.send(.test()) }
        #expect((error as? CircuitOpenError)?.retryAfter == 30)
    }

    @Test func `a cancelled probe lets the next request through an open circuit`() async throws {
        let gate = GatedTransport()
        var policy = CircuitBreaker.Policy()
        policy.minimumCalls = 1
        let transport = gate.breakingCircuit(with: CircuitBreaker(policy, clock: clock))
        async let first = thrown { try await transport.send(.test()) }
        try await gate.waitForSends(1)
        gate.answer { _ in throw URLError(.timedOut) }
        _ = await first
        clock.advance(by: 30)
        let probe = Task { await urlErrorCode { try await transport.send(.test()) } }
        try await gate.waitForSends(2)
        probe.cancel()
        #expect(await probe.value == .cancelled)
        async let second = transport.send(.test())
        try await gate.waitForSends(3)
        gate.answer()
        #expect(try await second.head.statusCode == 200)
    }

    @Test func `a circuit stays closed while fewer than half of the calls fail`() async throws {
        let transport = server().breakingCircuit(with: CircuitBreaker(clock: clock))
        for index in 0..<100 {
            status.withLock { $0 = index % 5 > 2 ? 500 : 200 }
            _ = try await transport.send(.test())
        }
    }

    @Test(arguments: [400, 401, 404, 429, 501])
    func `a 4xx status or 501 does not open the circuit`(code: Int) async throws {
        status.withLock { $0 = code }
        try await fail(server().breakingCircuit(with: CircuitBreaker(clock: clock)), times: 20)
    }

    @Test(
        arguments: [
            URLError(.requestBodyStreamExhausted), URLError(.dataLengthExceedsMaximum),
            URLError(.cannotCreateFile), URLError(.cannotWriteToFile),
            URLError(.notConnectedToInternet),
            RateLimitError(retryAfter: 1), CocoaError(.fileReadNoSuchFile),
        ] as [any Error])
    func `a local error does not open the circuit`(error: any Error) async throws {
        let server = StubTransport { _ in throw error }
        let transport = server.breakingCircuit(with: CircuitBreaker(clock: clock))
        for _ in 0..<20 { _ = try? await transport.send(.test()) }
        #expect(server.requests.count == 20)
    }

    @Test func `response bodies that break off open the circuit`() async throws {
        let server = StubTransport { request in
            let channel = ResponseBodyWriter(resume: {}, stop: {})
            channel.finish(.failure(URLError(.networkConnectionLost)))
            var response = try TransportResponse.test(request)
            response.body = .stream(ResponseBodyStream(channel))
            return response
        }
        let transport = server.breakingCircuit(with: CircuitBreaker(clock: clock))
        for _ in 0..<20 { _ = try? await transport.send(.test()) }
        #expect(server.requests.count < 20)
    }

    @Test func `a probe whose body breaks off opens the circuit again`() async throws {
        let source = GatedStreamTransport(statuses: 503, 200)
        var policy = CircuitBreaker.Policy()
        policy.minimumCalls = 1
        let breaker = CircuitBreaker(policy, clock: clock)
        let transport = source.breakingCircuit(with: breaker)
        _ = try await transport.send(.test())
        clock.advance(by: 30)
        let probe = try await transport.send(.test())
        #expect(probe.head.statusCode == 200)
        source.finish(URLError(.networkConnectionLost))
        await #expect(throws: URLError.self) { try await probe.streamed() }
        #expect(await thrown { try await transport.send(.test()) } is CircuitOpenError)
    }

    @Test func `a failed response whose body breaks off does not restart the pause`() async throws {
        let source = GatedStreamTransport(statuses: 503)
        var policy = CircuitBreaker.Policy()
        policy.minimumCalls = 1
        let transport = source.breakingCircuit(with: CircuitBreaker(policy, clock: clock))
        let failed = try await transport.send(.test())
        clock.advance(by: 20)
        source.finish(URLError(.networkConnectionLost))
        await #expect(throws: URLError.self) { try await failed.streamed() }
        let error = await thrown { try await transport.send(.test()) }
        #expect((error as? CircuitOpenError)?.retryAfter == 10)
    }

    @Test func `a circuit breaker forgets origins that are no longer used`() async throws {
        status.withLock { $0 = 200 }
        let breaker = CircuitBreaker(clock: clock)
        let transport = server().breakingCircuit(with: breaker)
        for number in 0..<5000 {
            _ = try await transport.send(.test("GET", "http://host\(number).test"))
            clock.advance(by: 1)
        }
        #expect(breaker.originCount <= 1000)
    }

    @Test(arguments: [URLError.Code.timedOut, .cannotConnectToHost, .networkConnectionLost])
    func `a network error opens the circuit`(code: URLError.Code) async throws {
        let server = StubTransport { _ in throw URLError(code) }
        let transport = server.breakingCircuit(with: CircuitBreaker(clock: clock))
        for _ in 0..<20 { _ = try? await transport.send(.test()) }
        #expect(server.requests.count == 5)
    }
}
