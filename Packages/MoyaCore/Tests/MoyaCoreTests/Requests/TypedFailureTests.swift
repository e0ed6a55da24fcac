import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite struct TypedFailureTests {
    private func error(
        _ status: Int, _ body: String, as contentType: String = "application/json",
        coders: Coders = .json
    ) async -> MoyaError? {
        let transport = StubTransport {
            try .stub(
                status: status, headers: [HeaderField(name: "Content-Type", value: contentType)],
                data: Data(body.utf8), for: $0)
        }
        let provider = MoyaProvider<MultiTarget>(transport: transport, coders: coders)
        return await #expect(throws: MoyaError.self) {
            try await provider.request(GetPerson(id: 1))
        }
    }

    @Test func `the body of a refused status is decoded as the target's Failure type`() async {
        let error = await error(422, #"{"code":5}"#)
        #expect(error?.failure(of: GetPerson(id: 1)) == APIProblem(code: 5))
        #expect(error?.failure(as: APIProblem.self) == APIProblem(code: 5))
        #expect(error?.failure(as: Person.self) == nil)
    }

    @Test func `failure is nil for an accepted response that cannot be decoded`() async {
        let error = await error(200, #"{"code":5}"#)
        #expect(error?.failure(as: APIProblem.self) == nil)
        #expect(MoyaError.requestMapping("x").failure(as: APIProblem.self) == nil)
    }

    @Test func `a failure is decoded with the coders of the provider`() async {
        struct Refusal: Decodable, Equatable { var errorCode: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let error = await error(400, #"{"error_code":1}"#, coders: Coders(decoder: decoder))
        #expect(error?.failure(as: Refusal.self) == Refusal(errorCode: 1))
        #expect(error?.failure(as: Refusal.self, using: .json) == nil)
    }

    // RFC 9457, section 3.
    @Test func `the example of RFC 9457 is decoded as problem details`() async {
        let body = """
            {"type": "https://example.com/probs/out-of-credit",
             "title": "You do not have enough credit.",
             "detail": "Your current balance is 30, but that costs 50.",
             "instance": "/account/12345/msgs/abc", "balance": 30,
             "accounts": ["/account/12345", "/account/67890"]}
            """
        let error = await error(403, body, as: "application/problem+json")
        #expect(
            error?.problem
                == ProblemDetails(
                    type: "https://example.com/probs/out-of-credit",
                    title: "You do not have enough credit.",
                    detail: "Your current balance is 30, but that costs 50.",
                    instance: "/account/12345/msgs/abc"))
        struct OutOfCredit: Decodable { var balance: Int }
        #expect(error?.failure(as: OutOfCredit.self)?.balance == 30)
    }

    // RFC 9457, sections 3.1 and 4.2.1.
    @Test func `problem details ignore members of the wrong type`() async {
        let body = #"{"type":5,"title":["x"],"status":"403","detail":null,"instance":"/i"}"#
        let error = await error(403, body, as: "Application/Problem+JSON; charset=utf-8")
        #expect(error?.problem == ProblemDetails(instance: "/i"))
        #expect(error?.problem?.type == "about:blank")
    }

    @Test func `problem is nil for a refused response of another content type`() async {
        #expect(await error(403, #"{"title":"x"}"#)?.problem == nil)
        #expect(await error(403, "[]", as: "application/problem+json")?.problem == nil)
    }
}
