import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite struct StubStatusTests {
    @Test func `A stub of text or JSON without a status answers with 200`() async throws {
        for stub in [Stub.text("one"), try .json(["one"])] {
            #expect(try await StubTransport(stub).send(.test()).head.statusCode == 200)
        }
    }

    @Test func `A response with JSON or data and without a status has 200`() throws {
        for response in [
            try TransportResponse.stub(json: ["one"], for: .test()), try .stub(for: .test()),
        ] {
            #expect(response.head.statusCode == 200)
        }
    }
}
