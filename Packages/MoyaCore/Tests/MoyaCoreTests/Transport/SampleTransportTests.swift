import Foundation
import MoyaTestSupport
import MoyaTesting
import Testing

@testable import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct SampleTransportTests {
    private let request = TransportRequest(URLRequest(url: url("http://host.test")))

    @Test func `a stub answers only after its delay has passed on its clock`()
        async throws
    {
        let clock = TestClock()
        let stub = SampleTransport(endpoint: .test(), delay: 60, clock: clock)
        let hasAnswered = Recorder<Int>()
        let task = Task { hasAnswered.record(try await stub.send(request).head.statusCode) }
        await clock.waitForSleepers()
        clock.advance(by: 59)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: 1)
        try await task.value
        #expect(hasAnswered.items == [200])
    }

    @Test func `a stub that is cancelled during its delay throws a CancellationError`() async throws
    {
        let clock = TestClock()
        let stub = SampleTransport(endpoint: .test(), delay: 60, clock: clock)
        let task = Task { try await stub.send(request) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a stub answers a request without a URL from the base URL of its target`()
        async throws
    {
        var request = request
        request.urlRequest.url = nil
        let stub = SampleTransport(endpoint: .test(), delay: 0)
        let error = await #expect(throws: URLError.self) { try await stub.send(request) }
        #expect(error?.code == .badURL)
        request.context = RequestContext(target: GitHub.zen)
        #expect(try await stub.send(request).head.url == GitHub.zen.baseURL)
    }
}
