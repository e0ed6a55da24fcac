import Foundation
import MoyaCore
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ConformanceSelfTests {
    /// A transport that gets one thing wrong.
    struct Wrong: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try .stub(status: 200, data: Data("always the same".utf8), for: request)
        }
    }

    @Test func `a transport that answers by itself does not pass`() async {
        var passed = 0
        for behaviour in TransportConformance.cases where behaviour.name.contains("arrives as sent")
        {
            if (try? await behaviour.run(on: Wrong())) != nil { passed += 1 }
        }
        #expect(passed == 0)
    }

    /// A transport that answers nobody and does not care who gives up.
    struct Deaf: Transport {
        let asked: @Sendable () -> Void

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            asked()
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            throw URLError(.cancelled)
        }
    }

    @Test func `a transport that is deaf to cancellation does not hold up the run`() async throws {
        let behaviour = try #require(TransportConformance.cases.first)
        let (questions, asked) = AsyncStream.makeStream(of: Void.self)
        let run = Task { try await behaviour.run(on: Deaf { asked.yield() }) }
        for await _ in questions { break }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test func `says what was expected and what came`() async {
        let behaviour = TransportConformance.cases.first {
            $0.name == "the status 404 is a response"
        }
        let error = await #expect(throws: TransportConformance.Failure.self) {
            try await behaviour?.run(on: Wrong())
        }
        #expect(error?.description == "Expected the status to be 404, got 200.")
    }

    @Test func `names every behaviour once`() {
        let names = TransportConformance.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 120)
    }
}
