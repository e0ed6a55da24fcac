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
