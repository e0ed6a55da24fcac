import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct CoalescingTransportTests {
    private let gate = GatedTransport()

    /// Sends `count` equal requests, and returns when all of them wait for one shared request.
    private func send(
        _ count: Int, _ transport: CoalescingTransport, _ request: TransportRequest = .test()
    ) async throws -> [Task<String, any Error>] {
        var tasks = [Task { try await transport.send(request).text }]
        try await gate.waitForSends(1)
        for _ in 1..<count { tasks.append(Task { try await transport.send(request).text }) }
        try await until { transport.waitingCount >= count }
        return tasks
    }

    @Test func `concurrent equal requests share one exchange`() async throws {
        let transport = CoalescingTransport(next: gate)
        let tasks = try await send(10, transport)
        gate.answer()
        for task in tasks { #expect(try await task.value == "answer") }
        #expect(gate.sendCount == 1)
    }

    @Test func `coalescing sends each of consecutive equal requests`() async throws {
        let transport = gate.coalescing()
        for number in 1...3 {
            async let response = transport.send(.test())
            try await gate.waitForSends(number)
            gate.answer()
            _ = try await response
        }
        #expect(gate.sendCount == 3)
    }

    @Test func `all requests of a shared exchange fail with its error`() async throws {
        let tasks = try await send(3, CoalescingTransport(next: gate))
        gate.answer { _ in throw URLError(.networkConnectionLost) }
        for task in tasks {
            #expect(await urlErrorCode { try await task.value } == .networkConnectionLost)
        }
    }

    @Test func `a shared exchange is cancelled only when all its requests are cancelled`()
        async throws
    {
        let transport = CoalescingTransport(next: gate)
        let tasks = try await send(3, transport)
        tasks[0].cancel()
        #expect(await urlErrorCode { try await tasks[0].value } == .cancelled)
        #expect(gate.cancelCount == 0)
        tasks[1].cancel()
        tasks[2].cancel()
        for task in tasks { #expect(await urlErrorCode { try await task.value } == .cancelled) }
        try await until { gate.cancelCount > 0 }
        async let fresh = transport.send(.test())
        try await gate.waitForSends(2)
        gate.answer()
        #expect(try await fresh.text == "answer")
    }

    private static let hasty: TransportRequest = {
        var request = TransportRequest.test()
        request.urlRequest.timeoutInterval = 1
        return request
    }()

    private static let watched: TransportRequest = {
        var request = TransportRequest.test()
        request.informational = { _ in }
        return request
    }()

    private static let staying: TransportRequest = {
        var request = TransportRequest.test()
        request.redirectPolicy = .refuse
        return request
    }()

    @Test(arguments: [
        TransportRequest.test("POST"), hasty, watched, staying,
        .test("GET", "http://host.test/other"),
        .test(headers: ["Accept": "a"]), .test(headers: ["Authorization": "Bearer B"]),
        .test(body: .data(Data("b".utf8))), .test("HEAD"), .test(destination: .memory(limit: 5)),
        .test(target: Thing(authorizationType: .bearer)),
        .test(target: MultiTarget(Thing(authorizationType: .custom("x")))),
    ])
    func `requests that differ do not share an exchange`(other: TransportRequest) async throws {
        let transport = gate.coalescing()
        async let first = transport.send(.test())
        async let second = transport.send(other)
        try await gate.waitForSends(2)
        gate.answer()
        _ = try await (first, second)
    }

    @Test func `a token refresh through a coalescing transport does not wait for itself`()
        async throws
    {
        let stub = StubTransport { request in
            let isWelcome = request.value(for: "Authorization") == "Bearer new"
            return try .test(request, isWelcome ? 200 : 401)
        }
        let itself = Recorder<any Transport>()
        let request = TransportRequest.test(target: Thing(authorizationType: .bearer))
        let tokens = TokenRefresher(token: AccessToken("old")) { _ in
            let response = try await itself.items[0].send(request)
            #expect(response.head.statusCode == 401)
            return AccessToken("new")
        }
        let transport = stub.authorizing(with: tokens).coalescing()
        itself.record(transport)
        #expect(try await transport.send(request).head.statusCode == 200)
        #expect(stub.requests.count == 3)
    }
}
