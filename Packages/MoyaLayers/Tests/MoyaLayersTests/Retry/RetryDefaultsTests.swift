import Foundation
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

@Suite struct RetryDefaultsTests {
    @Test func `A default retry policy sends a failing request three times`() async throws {
        let stub = StubTransport(.response(503))
        let transport = RetryingTransport(
            next: stub, policy: RetryPolicy(), clock: TestClock(movesByItself: true))
        #expect(try await transport.send(.test()).head.statusCode == 503)
        #expect(stub.requests.count == 3)
    }
}
