import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct TimeoutTransportTests {
    private let clock = TestClock()

    @Test func `an exchange over the timeout is cancelled and fails with timedOut`() async throws {
        let gate = GatedTransport()
        let transport = gate.timingOut(after: 3, clock: clock)
        async let error = thrown {
            try await transport.send(.test("GET", "http://host.test/?token=hush"))
        }
        try await gate.waitForSends(1)
        await clock.waitForSleepers()
        clock.advance(by: 3)
        let urlError = try #require(await error as? URLError)
        #expect(urlError.code == .timedOut)
        #expect(!"\(urlError) \(urlError.userInfo)".contains("hush"))
        #expect(gate.cancelCount == 1)
    }

    @Test func `an exchange within the timeout returns its response`() async throws {
        let gate = GatedTransport()
        let transport = gate.timingOut(after: 3, clock: clock)
        async let response = transport.send(.test())
        try await gate.waitForSends(1)
        gate.answer()
        #expect(try await response.text == "answer")
    }

    @Test func `cancelling a request with a timeout fails with cancelled`() async throws {
        let gate = GatedTransport()
        let transport = gate.timingOut(after: 3, clock: clock)
        let task = Task { await urlErrorCode { try await transport.send(.test()) } }
        try await gate.waitForSends(1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `a response file that arrives after the timeout is removed`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let clock = clock
        // A transport that ignores cancellation.
        let deaf = StubTransport { request in
            await clock.waitForSleepers()
            clock.advance(by: 3)
            try? await Task.sleep(nanoseconds: 60_000_000_000)
            try Data("late".utf8).write(to: file)
            var response = try TransportResponse.test(request)
            response.body = .file(file)
            return response
        }
        let transport = deaf.timingOut(after: 3, clock: clock)
        #expect(
            await urlErrorCode { try await transport.send(.test(destination: .file(file))) }
                == .timedOut)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
