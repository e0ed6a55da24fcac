import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ExpectResponseTests {
    private let issues = Issues()

    private func response(_ stub: Stub) async throws -> Response {
        try await MoyaProvider<Page>(transport: StubTransport(stub)).request(Page())
    }

    @Test func `an expected response reports no issue`() async throws {
        let json = try await response(.json(["id": 1, "age": 7], status: 201))
        #expect(
            expectResponse(
                json, status: 201, headers: ["content-type": "application/json"],
                json: ["id": 1, "age": 7], reporter: issues.reporter))
        #expect(
            expectResponse(json, json: ["id": 1], allowsMore: true, reporter: issues.reporter))
        #expect(expectResponse(json, reporter: issues.reporter))
        let text = try await response(.text("a\nb"))
        #expect(expectResponse(text, text: "a\nb", reporter: issues.reporter))
        #expect(issues.messages.isEmpty)
    }

    @Test func `all differences of a response are reported in one issue`() async throws {
        let response = try await response(
            .response(
                500, headers: ["X-A": "1", "Set-Cookie": "a=b"],
                data: Data(#"{"users":[{"name":"Ash"}],"token":"abc"}"#.utf8)))
        let isExpected = expectResponse(
            response, status: 200, headers: ["X-A": "2", "X-B": "3", "Set-Cookie": "c=d"],
            json: ["users": [["name": "Misty"]], "token": "def", "n": .null],
            reporter: issues.reporter)
        #expect(!isExpected)
        #expect(issues.lines == [#line - 5])
        #expect(
            issues.messages == [
                """
                The response is not as expected, in 7 places:
                  - the status is 500, not 200
                  - Set-Cookie is “***”, not “***”
                  - X-A is “1”, not “2”
                  - there is no field X-B: 3
                  - $.n is missing: null
                  - $.token is ***, not ***
                  - $.users[0].name is "Ash", not "Misty"
                The body: {"users":[{"name":"Ash"}],"token":"***"}
                """
            ])
    }

    @Test func `text bodies are compared line by line`() async throws {
        let text = try await response(.text("a\nb\nc"))
        expectResponse(text, text: "a\nx\nc", reporter: issues.reporter)
        expectResponse(text, text: "a\nb", reporter: issues.reporter)
        #expect(issues.messages.first?.contains("  - line 2 is “b”, not “x”\n") == true)
        #expect(issues.messages.last?.contains("  - the text has 3 lines, not 2\n") == true)
        let bytes = try await response(.response(data: Data([0xFF])))
        expectResponse(bytes, json: [:], text: "", reporter: issues.reporter)
        #expect(
            issues.messages.last == """
                The response is not as expected, in 2 places:
                  - the body is not JSON
                  - the body is not text in UTF-8
                The body: 1 bytes
                """)
    }

    @Test func `JSON data is compared with an expected value`() {
        let json = Data(#"{"a":[1,2,{"b c":true}],"d":1}"#.utf8)
        #expect(expectJSON(json, ["a": [1, 2, ["b c": true]], "d": 1]))
        expectJSON(json, ["a": [1, 3, ["b c": false]]], reporter: issues.reporter)
        #expect(
            issues.messages == [
                """
                The JSON is not as expected, in 3 places:
                  - $.a[1] is 2, not 3
                  - $.a[2]["b c"] is true, not false
                  - $.d is one too many: 1
                The body: {"a":[1,2,{"b c":true}],"d":1}
                """
            ])
    }

    @Test func `a request is compared with a matcher`() throws {
        let url = try #require(URL(string: "https://a.test/users?token=abc"))
        let request = TransportRequest(URLRequest(url: url))
        #expect(expectRequest(request, .method(.get) && .path("/users")))
        #expect(!expectRequest(request, .method(.put), reporter: issues.reporter))
        #expect(
            issues.messages == [
                """
                GET https://a.test/users?token=*** is not as expected, in one place:
                  - the method is GET, not PUT
                """
            ])
    }
}

private struct Page: TargetType {
    var baseURL: URL { URL(string: "https://a.test") ?? URL(fileURLWithPath: "/") }
    var path: String { "/" }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}
