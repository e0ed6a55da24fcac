import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target that states whether its request may be sent again.
struct Choosy: RetryableTarget {
    var isRetryable: Bool
    var baseURL: URL { url("http://host.test") }
    var path: String { "/" }
    var method: MoyaCore.Method { .post }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite(.timeLimit(.minutes(3))) struct RetryingTransportTests {
    private let clock = TestClock(movesByItself: true)

    private func retrying(
        _ next: any Transport, _ policy: RetryPolicy = .exponential(maximumRetries: 3)
    ) -> RetryingTransport {
        RetryingTransport(next: next, policy: policy, clock: clock)
    }

    @Test(arguments: [true, false])
    func `a request is retried only if its body can be replayed`(isReplayable: Bool) async throws {
        let stub = StubTransport(.response(503), .response(200))
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data("piece".utf8))
            continuation.finish()
        }
        let body: RequestBody =
            isReplayable ? .data(Data("piece".utf8)) : .stream(RequestBodyStream(once: pieces))
        let response = try await retrying(stub).send(.test("PUT", body: body))
        #expect(response.head.statusCode == (isReplayable ? 200 : 503))
        #expect(stub.requests.count == (isReplayable ? 2 : 1))
    }

    @Test func `a request is retried after a lost connection and a 503`() async throws {
        let stub = StubTransport(.failure(.networkConnectionLost), .response(503), .response(200))
        let response = try await retrying(stub).send(.test())
        #expect(response.head.statusCode == 200)
        #expect(stub.requests.count == 3)
    }

    @Test func `the retry backoff doubles up to its limit`() async throws {
        let stub = StubTransport(.response(503))
        let policy = RetryPolicy.exponential(maximumRetries: 5, base: 1, limit: 5)
        #expect(try await retrying(stub, policy).send(.test()).head.statusCode == 503)
        #expect(clock.sleeps == [1, 2, 4, 5, 5])
        #expect(stub.requests.count == 6)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a request with a transient error status is retried`(status: Int) async throws {
        let stub = StubTransport(.response(status), .response(200))
        #expect(try await retrying(stub).send(.test()).head.statusCode == 200)
    }

    @Test(arguments: [200, 301, 400, 401, 404, 409, 501, 505])
    func `a status that is not transient is returned without a retry`(status: Int) async throws {
        let stub = StubTransport(.response(status))
        #expect(try await retrying(stub).send(.test()).head.statusCode == status)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])
    func `a request with an idempotent method is retried`(method: String) async throws {
        let stub = StubTransport(.failure(.timedOut), .response(200))
        _ = try await retrying(stub).send(.test(method))
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: ["POST", "PATCH", "CONNECT", "LOCK"])
    func `a request with a method that is not idempotent is not retried`(method: String) async {
        let stub = StubTransport(.failure(.networkConnectionLost))
        #expect(
            await urlErrorCode { try await retrying(stub).send(.test(method)) }
                == .networkConnectionLost)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [URLError.Code.cannotFindHost, .cannotConnectToHost, .dnsLookupFailed])
    func `a POST request that never reached the server is retried`(
        code: URLError.Code
    ) async throws {
        let count = Locked(0)
        let stub = StubTransport { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard !isFirst else { throw URLError(code, "", url: request.urlRequest.url) }
            return try .test(request, 201)
        }
        let request = TransportRequest.test("POST", "http://u:p@host.test/pay?a=b#c")
        #expect(try await retrying(stub).send(request).head.statusCode == 201)
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: [
        nil, "http://else.test/pay", "https://host.test/pay", "http://host.test/done",
    ])
    func `a POST request whose connection failure may follow a redirect is not retried`(
        address: String?
    ) async throws {
        let stub = StubTransport { _ in
            throw URLError(.cannotConnectToHost, "", url: address.map { url($0) })
        }
        _ = try? await retrying(stub).send(.test("POST", "http://host.test/pay"))
        #expect(stub.requests.count == 1)
        _ = try? await retrying(stub).send(.test("PUT", "http://host.test/pay"))
        #expect(stub.requests.count == 5)
    }

    @Test(arguments: [
        URLError.Code.cancelled, .serverCertificateUntrusted, .badServerResponse,
        .dataLengthExceedsMaximum, .unsupportedURL,
    ])
    func `a permanent error is not retried`(code: URLError.Code) async {
        let stub = StubTransport(.failure(code))
        #expect(await urlErrorCode { try await retrying(stub).send(.test()) } == code)
        #expect(stub.requests.count == 1)
    }

    @Test func `a RetryableTarget decides whether its requests are retried`() async throws {
        let yes = StubTransport(.response(503), .response(200))
        _ = try await retrying(yes).send(.test("POST", target: Choosy(isRetryable: true)))
        #expect(yes.requests.count == 2)
        let no = StubTransport(.failure(.cannotConnectToHost))
        let target = MultiTarget(Choosy(isRetryable: false))
        _ = try? await retrying(no).send(.test("GET", target: target))
        #expect(no.requests.count == 1)
    }

    @Test func `a request without a target may state whether it is retried`() async throws {
        let yes = StubTransport(.response(503), .response(200))
        var request = TransportRequest.test("POST")
        request.context.isRetryable = true
        _ = try await retrying(yes).send(request)
        #expect(yes.requests.count == 2)
        let no = StubTransport(.response(503))
        request = .test("GET")
        request.context.isRetryable = false
        _ = try await retrying(no).send(request)
        #expect(no.requests.count == 1)
    }

    @Test func `a POST request with an idempotency key is retried`() async throws {
        let stub = StubTransport(.response(503), .response(200))
        _ = try await retrying(stub).send(.test("POST", headers: ["Idempotency-Key": "\"1\""]))
        #expect(stub.requests.count == 2)
    }

    @Test func `a retried request has the original body`() async throws {
        let stub = StubTransport(.response(503), .response(200))
        _ = try await retrying(stub).send(.test("PUT", body: .data(Data("body".utf8))))
        for request in stub.requests {
            guard case .data(let data) = request.body else {
                Issue.record("no body")
                continue
            }
            #expect(data == Data("body".utf8))
        }
        #expect(stub.requests.count == 2)
    }

    @Test func `the response file of a failed attempt is removed before the retry`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let stub = StubTransport { request in
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try Data("body".utf8).write(to: file)
            var response = try TransportResponse.test(request, 503)
            response.body = .file(file)
            return response
        }
        let response = try await retrying(stub).send(.test(destination: .file(file)))
        #expect(response.text == "body")
        #expect(stub.requests.count == 4)
    }
}

@Suite(.timeLimit(.minutes(3))) struct RetryAfterTests {
    private let clock = TestClock(movesByItself: true)

    private func waits(_ value: String) async throws -> [TimeInterval] {
        let stub = StubTransport(.response(429, headers: ["Retry-After": value]), .response(200))
        _ = try await stub.retrying(.exponential(base: 0.5), clock: clock).send(.test())
        return clock.sleeps
    }

    @Test func `a retry waits for the seconds of Retry-After`() async throws {
        #expect(try await waits("7") == [7])
    }

    @Test func `a retry waits for the date of Retry-After`() async throws {
        #expect(try await waits(HTTPDate.format(clock.now + 9)) == [9])
    }

    @Test func `a past date in Retry-After does not shorten the retry backoff`() async throws {
        #expect(try await waits(HTTPDate.format(clock.now - 9)) == [0.5])
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "0x10", "inf", "nan", "1e3"])
    func `an invalid Retry-After does not change the retry backoff`(value: String) async throws {
        #expect(try await waits(value) == [0.5])
    }

    @Test(arguments: ["61", "99999999999999999999999999"])
    func `a Retry-After over the limit prevents the retry`(value: String) async throws {
        #expect(try await waits(value) == [])
    }
}

@Suite(.timeLimit(.minutes(3))) struct RetryLimitTests {
    private let clock = TestClock()

    @Test func `the retry budget limits retries to a fifth of the requests plus the reserve`()
        async throws
    {
        let stub = StubTransport(.response(503))
        let clock = TestClock(movesByItself: true)
        let transport = stub.retrying(.exponential(maximumRetries: 3), clock: clock)
        for _ in 0..<1000 { _ = try await transport.send(.test()) }
        let retries = stub.requests.count - 1000
        #expect(retries <= 210)
        #expect(retries >= 200)
    }

    @Test func `an attempt over attemptTimeout is cancelled and retried`() async throws {
        let gate = GatedTransport()
        var policy = RetryPolicy.exponential()
        policy.attemptTimeout = 5
        policy.backoff.base = 0
        let transport = gate.retrying(policy, clock: clock)
        async let response = transport.send(.test())
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 5)
        try await gate.waitForSends(2)
        #expect(gate.cancelCount == 1)
        gate.answer()
        #expect(try await response.head.statusCode == 200)
    }

    @Test func `a call over totalTimeout fails with timedOut`() async throws {
        let gate = GatedTransport()
        var policy = RetryPolicy.exponential()
        policy.totalTimeout = 5
        let transport = gate.retrying(policy, clock: clock)
        async let error = thrown { try await transport.send(.test()) }
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 5)
        let urlError = try #require(await error as? URLError)
        #expect(urlError.code == .timedOut)
        #expect((urlError.userInfo[NSUnderlyingErrorKey] as? DeadlineError)?.seconds == 5)
        #expect(gate.sendCount == 1)
    }

    // The test does not advance the clock, so a wait would never end.
    @Test func `a retry delay beyond totalTimeout returns the response without waiting`()
        async throws
    {
        let stub = StubTransport(.response(503, headers: ["Retry-After": "10"]))
        var policy = RetryPolicy.exponential()
        policy.totalTimeout = 5
        #expect(
            try await stub.retrying(policy, clock: clock).send(.test()).head.statusCode == 503)
        #expect(stub.requests.count == 1)
    }

    @Test func `the deciding closure of a retry policy overrides the default decision`()
        async throws
    {
        let clock = TestClock(movesByItself: true)
        let stub = StubTransport(
            .response(200, data: Data("busy".utf8)), .response(200, data: Data("done".utf8)))
        let policy = RetryPolicy.exponential().deciding { attempt in
            guard case .success(let response) = attempt.outcome, response.text == "busy" else {
                return .finish
            }
            return .retry(after: 3)
        }
        let transport = stub.retrying(policy, clock: clock)
        #expect(try await transport.send(.test("POST")).text == "done")
        #expect(clock.sleeps == [3])
        let stubborn = StubTransport(.response(503))
        _ = try await stubborn.retrying(policy, clock: clock).send(.test())
        #expect(stubborn.requests.count == 1)
    }

    @Test func `cancelling a request ends the wait between retry attempts`() async throws {
        let stub = StubTransport(.response(503))
        let transport = stub.retrying(clock: clock)
        let task = Task { await urlErrorCode { try await transport.send(.test()) } }
        await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(stub.requests.count == 1)
    }

    @Test func `a cancelled attempt is not retried`() async throws {
        let gate = GatedTransport()
        let policy = RetryPolicy.exponential().deciding { _ in .retry(after: 0) }
        let transport = gate.retrying(policy, clock: clock)
        let task = Task { await urlErrorCode { try await transport.send(.test()) } }
        try await gate.waitForSends(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(gate.sendCount == 1)
    }
}
