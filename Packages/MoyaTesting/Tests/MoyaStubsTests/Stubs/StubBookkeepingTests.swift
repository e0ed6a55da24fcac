import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaStubs

@Suite(.timeLimit(.minutes(3))) struct StubBookkeepingTests {
    @Test
    func
        `A missing stub error names a stub for a similar target as nearest, not a stub with a closure`()
        async
    {
        let provider = StubbedProvider<Shop>(unstubbed: .fail)
        provider.on(where: { _ in false }).respond(.response())
        provider.on(.list).respond(.response())
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.buy) }
        let text = (error?.underlyingError as? MissingStubError)?.description ?? ""
        #expect(text.contains("The nearest is list: "))
    }

    @Test
    func `The last progress of a streamed upload to a stub contains the total number of bytes`()
        async throws
    {
        let last = Locked<TransferProgress?>(nil)
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data(count: 7))
            continuation.finish()
        }
        _ = try await StubTransport(.text("one")).send(
            .test(
                "POST", body: .stream(RequestBodyStream(once: pieces)),
                progress: { progress in last.withLock { $0 = progress } }))
        #expect(last.withLock { $0 }?.bytesToSend == 7)
    }

    @Test
    func
        `A request with a delayed answer still counts as waiting after another request was answered`()
        async throws
    {
        let clock = TestClock()
        let transport = StubTransport(clock: clock)
        transport.on(.path("/slow")).respond(.response(200).delayed(by: 10))
        transport.on(.path("/quick")).respond(.response(200))
        async let slow = transport.send(.test("GET", "https://a.test/slow"))
        await clock.waitForSleepers()
        _ = try await transport.send(.test("GET", "https://a.test/quick"))
        #expect(transport.registry.leaks == ["1 stubbed request still waiting for an answer"])
        clock.advance(by: 10)
        _ = try await slow
        #expect(transport.registry.leaks.isEmpty)
    }
}
