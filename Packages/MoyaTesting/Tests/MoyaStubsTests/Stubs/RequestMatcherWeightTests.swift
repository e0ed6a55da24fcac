import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaStubs

/// Weights of the reasons for a mismatch. They decide which stub or request an error names.
@Suite struct RequestMatcherWeightTests {
    private static let request = TransportRequest.test(
        "POST", "https://api.host.test/v1/users?page=2", headers: ["Accept": "application/json"],
        body: .data(Data(#"{"name":"Ash","age":7}"#.utf8)), target: Shop.list)

    private static let mismatching: [RequestMatcher] = [
        .method(.get), .host("b.test"), .path("/quite/another"), .url("ftp://b/"),
        .url("https://api.host.test/v1/users?page=3"), .query("size"), .query("page", "3"),
        .header("X-None"), .header("Accept", "text/html"),
        .jsonBody(["name": "Misty", "age": 8, "id": 1]), .body(Data("x".utf8)),
        .body(containing: "Brock"), .name("buy"), .target(Thing.self),
        .target(Shop.self) { $0 == .buy },
        !.method(.post), RequestMatcher("small") { _ in false },
    ]

    @Test(arguments: mismatching)
    func `the weight of a mismatch is more than 0 and at most 1`(matcher: RequestMatcher) {
        let weights = matcher.misses(Self.request).map(\.weight)
        #expect(!weights.isEmpty)
        for weight in weights { #expect(0 < weight && weight <= 1) }
    }

    @Test(arguments: [RequestBody.none, .data(Data("<a>".utf8))])
    func `the weight of a missing JSON body is more than 0 and at most 1`(body: RequestBody) {
        let weights = RequestMatcher.jsonBody([:]).misses(.test(body: body)).map(\.weight)
        #expect(weights.count == 1)
        for weight in weights { #expect(0 < weight && weight <= 1) }
    }

    private func distance(_ matcher: RequestMatcher) -> Double {
        matcher.misses(Self.request).distance
    }

    @Test func `a typo weighs less than a missing field, an unrelated path or another method`() {
        #expect(distance(.header("Accept", "application/jsom")) < distance(.header("X-None")))
        #expect(distance(.path("/v1/user")) < distance(.path("/quite/another")))
        #expect(distance(.url("https://api.host.test/v1/user?page=2")) < distance(.method(.get)))
    }

    @Test func `another value of a field weighs no more than a missing field`() {
        #expect(distance(.header("Accept", "x")) <= distance(.header("X-None")))
    }

    @Test func `a URL with nothing in common weighs more than another method`() {
        #expect(distance(.url("ftp://b/")) > distance(.method(.get)))
    }

    @Test func `the nearer of two alternative matchers explains the mismatch in either order`() {
        let near: RequestMatcher = .header("Accept", "application/jsom")
        let far: RequestMatcher = .path("/quite/another")
        for either in [near || far, far || near] {
            #expect(either.mismatches(Self.request) == near.mismatches(Self.request))
        }
    }

    @Test func `the second of two equally near alternative matchers explains the mismatch`() {
        let first: RequestMatcher = .query("size")
        let second: RequestMatcher = .header("X-None")
        #expect(distance(first) == distance(second))
        #expect((first || second).mismatches(Self.request) == second.mismatches(Self.request))
    }

    // Later stubs take precedence.
    @Test func `an error names the later of two equally near stubs`() async throws {
        let transport = StubTransport()
        transport.on(.get, "/teama").respond(.response())
        transport.on(.get, "/teamb").respond(.response())
        let error = await #expect(throws: MissingStubError.self) {
            try await transport.send(.test("GET", "https://a.test/team"))
        }
        #expect(error?.description.contains("The nearest is GET /teamb: ") == true)
    }

    @Test func `an issue names the earlier of two equally near requests`() async throws {
        let issues = Issues()
        let provider = StubbedProvider<Shop>(reporter: issues.reporter)
        for _ in 0..<2 { _ = try await provider.request(.list) }
        provider.received(.buy)
        #expect(issues.messages.first?.contains("The nearest is request 1: ") == true)
    }
}
