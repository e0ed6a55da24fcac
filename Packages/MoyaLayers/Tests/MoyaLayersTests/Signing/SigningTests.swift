import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct Counting: RequestSigner {
    let calls = Recorder<String>()

    func sign(_ request: TransportRequest) async throws -> TransportRequest {
        guard request.method != "DELETE" else { throw URLError(.userAuthenticationRequired) }
        calls.record(request.method)
        var request = request
        request.urlRequest.setValue("\(calls.count)", forHTTPHeaderField: "Signature")
        return request
    }
}

@Suite struct SigningTransportTests {
    @Test func `each retry attempt has a new signature`() async throws {
        let stub = StubTransport(.response(503), .response(200))
        let transport = stub.signing(with: Counting())
            .retrying(clock: TestClock(movesByItself: true))
        _ = try await transport.send(.test())
        #expect(stub.requests.map { $0.value(for: "Signature") } == ["1", "2"])
    }

    @Test func `a request that cannot be signed is not sent`() async {
        let stub = StubTransport(.response(200))
        let transport = stub.signing(with: Counting())
        #expect(
            await urlErrorCode { try await transport.send(.test("DELETE")) }
                == .userAuthenticationRequired)
        #expect(stub.requests.isEmpty)
    }
}
