import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(3))) struct TypedRequestTests {
    private let person = Person(login: "ada", id: 7)

    private func transport(
        _ body: String, status: Int = 200, as contentType: String? = nil
    ) -> StubTransport {
        let fields = contentType.map { [HeaderField(name: "Content-Type", value: $0)] } ?? []
        return StubTransport {
            try .stub(status: status, headers: fields, data: Data(body.utf8), for: $0)
        }
    }

    private func provider(
        _ body: String, status: Int = 200, as contentType: String? = nil
    ) -> MoyaProvider<MultiTarget> {
        MoyaProvider(transport: transport(body, status: status, as: contentType))
    }

    @Test func `a MultiTarget provider decodes the Response type of a target`() async throws {
        let provider = provider(#"{"login":"ada","id":7}"#)
        let found = try await provider.request(GetPerson(id: 7))
        #expect(found == person)
    }

    @Test func `a provider of one target type decodes the Response type of a target`()
        async throws
    {
        let provider = MoyaProvider<GetPerson>(transport: transport(#"{"login":"ada","id":7}"#))
        let found = try await provider.request(GetPerson(id: 7))
        #expect(found == person)
    }

    @Test func `a typed request returns the undecoded response if the call specifies its type`()
        async throws
    {
        let provider = MoyaProvider<GetPerson>(transport: transport("{}"))
        let response: Moya.Response = try await provider.request(GetPerson(id: 7))
        #expect(response.data == Data("{}".utf8))
        let multi: Moya.Response = try await self.provider("x").request(MultiTarget(GitHub.zen))
        #expect(multi.data == Data("x".utf8))
        #expect(try await self.provider("x").request(.target(GitHub.zen)).mapString() == "x")
        #expect(try await self.provider("x").request(.init(GitHub.zen)).mapString() == "x")
    }

    @Test func `a completion of a typed target receives the undecoded response`() async throws {
        let provider = MoyaProvider<GetPerson>(transport: transport("{}"))
        let data = try await withCheckedThrowingContinuation { continuation in
            provider.request(GetPerson(id: 1), callbackQueue: .global()) { result in
                continuation.resume(with: result.map(\.data))
            }
        }
        #expect(data == Data("{}".utf8))
    }

    @Test func `Data, String, Void and Moya.Response are Response types of a target`() async throws
    {
        #expect(try await provider("bytes").request(Portrait()) == Data("bytes".utf8))
        #expect(try await provider("as text").request(Motto()) == "as text")
        let json = provider(#""as JSON""#, as: "application/json; charset=utf-8")
        #expect(try await json.request(Motto()) == "as JSON")
        #expect(try await provider("raw").request(AsItIs()).mapString() == "raw")
        try await provider("", status: 204).request(DeletePerson(id: 1))
        try await MoyaProvider<DeletePerson>(transport: transport("", status: 204)).request(
            DeletePerson(id: 1))
    }

    @Test func `an optional Response type is nil for an empty body`() async throws {
        #expect(try await provider("", status: 204).request(FindPerson()) == nil)
        #expect(try await provider(#"{"login":"ada","id":7}"#).request(FindPerson()) == person)
    }

    @Test func `an empty body is an objectMapping error unless the Response type is optional`()
        async
    {
        let provider = provider("")
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(GetPerson(id: 1))
        }
        guard case .objectMapping(_, let response) = error else {
            Issue.record("Expected .objectMapping, got \(String(describing: error)).")
            return
        }
        #expect(response.statusCode == 200)
    }

    @Test(arguments: [304, 404, 412, 500])
    func `a typed target refuses a status outside 200 to 299 by default`(
        status: Int
    ) async {
        let provider = provider(#"{"login":"ada","id":7}"#, status: status)
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(GetPerson(id: 1))
        }
        guard case .underlying(MoyaError.statusCode, let response?) = error else {
            Issue.record("Expected .statusCode, got \(String(describing: error)).")
            return
        }
        #expect(response.statusCode == status)
    }

    @Test func `a stub of a SampledTarget answers with the encoded sample`() async throws {
        let provider = MoyaProvider<MultiTarget>(
            stubClosure: MoyaProvider.immediatelyStub, transport: FixedTransport())
        #expect(try await provider.request(GetPerson(id: 3)) == Person(login: "sample", id: 3))
        #expect(GetPerson(id: 3).sampleData == Data(#"{"id":3,"login":"sample"}"#.utf8))
    }

    @Test func `a cancelled typed request fails with the error of a cancelled request`() async {
        let provider = MoyaProvider<MultiTarget>(
            transport: FixedTransport(error: CancellationError()))
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(GetPerson(id: 1))
        }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }
}
