import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite struct RequestMatcherTests {
    private static let request = TransportRequest.test(
        "POST", "https://API.host.test:443/v1/users/a%2Fb/files/x/y%20z?b=2&a=1&a=3&empty",
        headers: ["X-Shop": "1", "Accept": "application/json"],
        body: .data(Data(#"{"user":{"name":"Ash","age":7},"tags":["a","b"],"n":null}"#.utf8)))

    static let matching: [RequestMatcher] = [
        .any, .method(.post), .host("api.HOST.test"),
        .path("/v1/users/{id}/files/{path*}"), .path("v1/{rest*}"),
        .path("/v1/users/a%2Fb/files/x/y%20z"), .path("/v1/users/a%2Fb/files/x/y z"),
        .url("https://api.host.test/v1/users/a%2Fb/files/x/y%20z?a=1&empty&a=3&b=2"),
        .query("a"), .query("a", "3"), .query("a", "1") && .query("b", "2") && .query("empty", ""),
        .header("x-shop"), .header("ACCEPT", "application/json"),
        .header("X-Shop", "1") && .header("Accept", "application/json"),
        .jsonBody(["user": ["name": "Ash"]]), .jsonBody(["tags": ["a", "b"], "n": .null]),
        .jsonBody([:]), .body(containing: "Ash"),
        .method(.post) && .header("X-Shop", "1"), .method(.get) || .method(.post),
        !.method(.get), !(.method(.get) && .method(.post)),
        RequestMatcher("with a body") { if case .data = $0.body { true } else { false } },
    ]

    @Test(arguments: matching) func `a request matcher matches the request`(matcher: RequestMatcher)
    {
        #expect(matcher.matches(Self.request))
        #expect(matcher.mismatches(Self.request) == [])
    }

    static let others: [(RequestMatcher, [String])] = [
        (.method(.get), ["the method is POST, not GET"]),
        (.host("b.test"), ["the host is API.host.test, not b.test"]),
        (
            .path("/v1/users/{id}"),
            ["the path is /v1/users/a/b/files/x/y z, not /v1/users/{id}"]
        ),
        (.query("c"), ["the query has no parameter c"]),
        (.query("b", "3"), ["parameter b is “2”, not “3”"]),
        (.header("X-None"), ["the head has no field X-None"]),
        (.header("X-Shop", "2"), ["field X-Shop is “1”, not “2”"]),
        (
            .jsonBody(["user": ["name": "Misty", "id": 1], "tags": ["a"]]),
            [
                "in the body, $.tags has 2 elements, not 1",
                "in the body, $.user.id is missing: 1",
                #"in the body, $.user.name is "Ash", not "Misty""#,
            ]
        ),
        (.body(containing: "Brock"), ["the body has no “Brock”"]),
        (
            .method(.get) && .host("b.test"),
            [
                "the method is POST, not GET",
                "the host is API.host.test, not b.test",
            ]
        ),
        (!.method(.post), ["it is POST"]),
        (RequestMatcher("small") { _ in false }, ["“small” does not hold"]),
    ]

    @Test(arguments: others)
    func `a request matcher explains why a request does not match`(
        matcher: RequestMatcher, reasons: [String]
    ) {
        #expect(!matcher.matches(Self.request))
        #expect(matcher.mismatches(Self.request) == reasons)
    }

    @Test func `the nearer of two alternative matchers explains the mismatch`() {
        let matcher: RequestMatcher = .path("/quite/another") || .header("X-Shop", "2")
        #expect(matcher.mismatches(Self.request) == ["field X-Shop is “1”, not “2”"])
        #expect((matcher || .any).matches(Self.request))
    }

    @Test func `a request matcher's descriptions hide secrets`() {
        let request = TransportRequest.test(
            "POST", "https://a.test/?token=one", headers: ["Authorization": "Bearer two"],
            body: .data(Data(#"{"password":"three"}"#.utf8)))
        let matcher: RequestMatcher =
            .query("token", "1") && .header("Authorization", "2") && .jsonBody(["password": "3"])
        let text = "\(matcher)\n\(matcher.mismatches(request))"
        #expect(matcher.mismatches(request).count == 3)
        for secret in ["one", "two", "three"] { #expect(!text.contains(secret)) }
        #expect(
            matcher.description
                == #"?token=*** Authorization: *** with JSON {"password":"***"}"#)
    }

    @Test func `a body matcher reads bodies in files and reports bodies that are not JSON`() throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file("body")
        try Data(#"{"a":1}"#.utf8).write(to: file)
        let request = TransportRequest.test("PUT", body: .file(file))
        #expect(RequestMatcher.jsonBody(["a": 1]).matches(request))
        #expect(RequestMatcher.body(Data(#"{"a":1}"#.utf8)).matches(request))
        #expect(
            RequestMatcher.jsonBody([:]).mismatches(.test(body: .data(Data("<a>".utf8))))
                == ["the body is not JSON"])
        #expect(RequestMatcher.jsonBody([:]).mismatches(.test()) == ["there is no body"])
    }

    @Test func `a target matcher looks at targets, also within a MultiTarget`() {
        let matcher = RequestMatcher.target(Shop.self) { $0 == .buy }
        #expect(matcher.matches(.test(target: Shop.buy)))
        #expect(matcher.matches(.test(target: MultiTarget(Shop.buy))))
        #expect(
            matcher.mismatches(.test(target: Shop.list))
                == ["list is not the target that was meant"])
        #expect(matcher.mismatches(.test()) == ["it is not for a Shop"])
    }

    @Test func `a name matcher looks at the name in the context, also that of a target`() {
        let matcher = RequestMatcher.name("buy")
        var request = TransportRequest.test()
        #expect(matcher.mismatches(request) == ["it has no name"])
        request.context.name = "buy"
        #expect(matcher.matches(request))
        #expect(matcher.matches(.test(target: Shop.buy)))
        #expect(matcher.mismatches(.test(target: Shop.list)) == ["its name is list, not buy"])
    }
}
