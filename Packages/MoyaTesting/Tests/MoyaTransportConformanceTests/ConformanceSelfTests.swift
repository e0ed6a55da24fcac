import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportConformance

import MoyaTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ConformanceSelfTests {
    /// A transport that returns the same response to every request.
    struct Wrong: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try .stub(status: 200, data: Data("always the same".utf8), for: request)
        }
    }

    @Test func `a transport that makes up its responses passes no request method case`() async {
        let cases = TransportConformance.cases.filter { $0.name.contains("arrives as sent") }
        #expect(cases.count >= 5)
        var passed = 0
        for behaviour in cases {
            if (try? await behaviour.run(on: Wrong())) != nil { passed += 1 }
        }
        #expect(passed == 0)
    }

    /// A transport that never returns and ignores cancellation.
    struct Deaf: Transport {
        let asked: @Sendable () -> Void

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            asked()
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            throw URLError(.cancelled)
        }
    }

    @Test
    func `cancelling a conformance run does not wait for a transport that ignores cancellation`()
        async throws
    {
        let behaviour = try #require(TransportConformance.cases.first)
        let (questions, asked) = AsyncStream.makeStream(of: Void.self)
        let run = Task { try await behaviour.run(on: Deaf { asked.yield() }) }
        try await waitForEvent(in: questions)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test func `A conformance case fails at its time limit if the transport never answers`()
        async throws
    {
        let request = TransportRequest(
            URLRequest(url: try #require(URL(string: "http://a.test/"))))
        let behaviour = TransportConformance.Case("silence", within: 0) { transport in
            _ = try await transport.send(request)
        }
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await behaviour.run(on: Deaf {})
        }
        #expect(error?.description.hasPrefix("Expected it to be over within 0 seconds") == true)
    }

    /// A transport that takes the first read for the whole response.
    struct Hasty: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let port = request.urlRequest.url?.port ?? 0
            let text = try await RawClient.connected(to: port) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return String(decoding: try client.receive(), as: UTF8.self)
            }
            let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            let body = text.components(separatedBy: "\r\n\r\n").last ?? ""
            return try .stub(status: status ?? 0, data: Data(body.utf8), for: request)
        }
    }

    @Test
    func
        `A transport that takes the first read for the whole response fails some conformance cases`()
        async
    {
        var failures = 0
        for behaviour in TransportConformance.cases where behaviour.name.hasPrefix("the status") {
            do {
                try await behaviour.run(on: Hasty())
            } catch {
                failures += 1
            }
        }
        #expect(failures > 0)
    }

    @Test
    func `a conformance failure contains the seed, whether a case or the transport has thrown`()
        async
    {
        struct Broken: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                throw URLError(.badServerResponse)
            }
        }
        for transport in [Wrong(), Broken()] as [any Transport] {
            let error = await #expect(throws: TransportConformance.Failure.self) {
                try await TransportConformance.cases.first?.run(on: transport)
            }
            #expect(error?.description.contains("MOYA_SEED=") == true)
        }
    }

    @Test func `a conformance failure says what was expected and what was received`() async {
        let behaviour = TransportConformance.cases.first {
            $0.name == "the status 404 is a response"
        }
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await behaviour?.run(on: Wrong())
        }
        #expect(error?.description.hasPrefix("Expected the status to be 404, got 200. ") == true)
    }

    @Test func `every conformance case has a unique name`() {
        let names = TransportConformance.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 120)
    }
}
