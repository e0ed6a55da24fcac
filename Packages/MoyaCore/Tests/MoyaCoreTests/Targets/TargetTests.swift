import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TargetURLTests {
    static let joins = [
        ("http://a.test", "", "http://a.test"), ("http://a.test/", "", "http://a.test/"),
        ("http://a.test/v1?k=v", "", "http://a.test/v1?k=v"),
        ("http://a.test", "x", "http://a.test/x"),
        ("http://a.test", "/x", "http://a.test/x"), ("http://a.test/", "x", "http://a.test/x"),
        ("http://a.test/", "/x", "http://a.test/x"),
        ("http://a.test/v1", "x/y", "http://a.test/v1/x/y"),
        ("http://a.test", "/x/", "http://a.test/x/"),
        ("http://a.test:8080", "/x", "http://a.test:8080/x"),
        ("http://a.test", "/a b", "http://a.test/a%20b"),
        ("http://a.test", "/a?b", "http://a.test/a%3Fb"),
        ("http://a.test", "/a#b", "http://a.test/a%23b"),
        ("http://a.test", "/a%20b", "http://a.test/a%20b"),
        ("http://a.test", "/a%2Fb", "http://a.test/a%2Fb"),
        ("http://a.test", "/100%", "http://a.test/100%25"),
        ("http://a.test", "/50%zz", "http://a.test/50%25zz"),
        ("http://a.test", "/é", "http://a.test/%C3%A9"),
        ("http://a.test", "/a:b@c;d,e=f&g+h!$'()*", "http://a.test/a:b@c;d,e=f&g+h!$'()*"),
        ("http://a.test/v1?key=1", "/x", "http://a.test/v1/x?key=1"),
        ("http://a.test/v1/?key=1", "/x", "http://a.test/v1/x?key=1"),
        ("http://a.test/v1#top", "x", "http://a.test/v1/x#top"),
        ("https://[::1]:1", "/x", "https://[::1]:1/x"),
    ]

    @Test(arguments: joins)
    func `the URL of a target is the base URL with the path appended`(
        base: String, path: String, expected: String
    ) {
        let target = AnyTarget(baseURL: url(base), path: path)
        #expect(URL(target: target).absoluteString == expected)
    }

    static let segments = [
        ("ashfurrow", "ashfurrow"), ("a/b", "a%2Fb"), ("a?b", "a%3Fb"), ("a#b", "a%23b"),
        ("100%", "100%25"),
        ("a%2Fb", "a%252Fb"), ("a b", "a%20b"), ("é", "%C3%A9"), ("😃", "%F0%9F%98%83"),
        ("a&b=c", "a%26b%3Dc"),
        ("-._~", "-._~"), ("...", "..."), ("a..b", "a..b"), ("../etc", "..%2Fetc"),
        ("\r\n", "%0D%0A"), ("", ""),
    ]

    @Test(arguments: segments)
    func `an interpolated path segment stays one segment`(value: String, expected: String) throws {
        let path = "/users/\(segment: value)/repos"
        #expect(path == "/users/\(expected)/repos")
        let request = try MoyaProvider<AnyTarget>.defaultEndpointMapping(for: AnyTarget(path: path))
            .urlRequest()
        #expect(request.url?.absoluteString == "http://host.test/users/\(expected)/repos")
    }

    @Test func `an interpolated path segment may be a number`() {
        #expect("/things/\(segment: 42)" == "/things/42")
    }

    @Test func `an interpolated path segment may be a raw value, which precedes a description`() {
        enum Kind: String { case ready = "a/b" }
        struct Name: RawRepresentable, CustomStringConvertible {
            var rawValue: Int
            var description: String { "described" }
        }
        #expect("/things/\(segment: Kind.ready)" == "/things/a%2Fb")
        #expect("/things/\(segment: Name(rawValue: 7))" == "/things/7")
    }

    // RFC 3986, section 3.3: a slash separates segments, and segments may be empty.
    static let severalSegments = [
        ("docs/README.md", "docs/README.md"), ("a b/c?d/e#f", "a%20b/c%3Fd/e%23f"),
        ("100%/%2F", "100%25/%252F"), ("", ""), ("/a//b/", "/a//b/"), ("..a/b.", "..a/b."),
    ]

    @Test(arguments: severalSegments)
    func `interpolated path segments are escaped, and their slashes are kept`(
        value: String, expected: String
    ) throws {
        let path = "/contents/\(segments: value)"
        #expect(path == "/contents/\(expected)")
        let request = try MoyaProvider<AnyTarget>.defaultEndpointMapping(for: AnyTarget(path: path))
            .urlRequest()
        #expect(request.url?.absoluteString == "http://host.test/contents/\(expected)")
    }

    @Test(arguments: ["..", "a/../b", "a/."])
    func `a dot segment among interpolated segments is an error`(value: String) {
        let target = AnyTarget(path: "/contents/\(segments: value)")
        #expect(throws: MoyaError.self) {
            try MoyaProvider<AnyTarget>.defaultEndpointMapping(for: target).urlRequest()
        }
    }

    @Test(arguments: [".", ".."])
    func `an interpolated dot segment is an error`(value: String) {
        let target = AnyTarget(path: "/users/\(segment: value)/repos")
        #expect(throws: MoyaError.self) {
            try MoyaProvider<AnyTarget>.defaultEndpointMapping(for: target).urlRequest()
        }
    }

    @Test(arguments: ["/a/%2e%2E/b", "/%2e", "/a/.%2e", "/a/%2E.", "/a/../b", "..", "/a/.", "/./a"])
    func `a dot segment in the path is an error, percent-encoded or not`(path: String) {
        let target = AnyTarget(path: path)
        #expect(throws: MoyaError.self) {
            try MoyaProvider<AnyTarget>.defaultEndpointMapping(for: target).urlRequest()
        }
    }

    @Test(arguments: [
        "http://h.test/a?b=/%2e%2e/", "http://h.test/a?b=/../", "http://h.test/a#/../",
        "http://h.test/.well-known/...", "http://h.test/%2e%2ea/b..",
    ])
    func `dots in a query, a fragment or a longer path segment are accepted`(text: String) throws {
        #expect(try Endpoint.test(url: text).urlRequest().url?.absoluteString == text)
    }

    @Test(arguments: [
        ("http://h.test/v1/../v2", "/users", "http://h.test/v2/users"),
        ("http://h.test/v1/./", "users", "http://h.test/v1/users"),
        ("http://h.test/a%2Fb/../v2?key=/../1", "/users", "http://h.test/v2/users?key=/../1"),
        ("http://h.test/v1/..", "", "http://h.test/"),
    ])
    func `dot segments of a base URL are resolved`(base: String, path: String, sent: String) throws
    {
        let target = AnyTarget(baseURL: url(base), path: path)
        let request = try MoyaProvider<AnyTarget>.defaultEndpointMapping(for: target).urlRequest()
        #expect(request.url?.absoluteString == sent)
        #expect(URL(target: target).absoluteString == sent)
    }
}

@Suite struct TargetDefaultsTests {
    struct Minimal: TargetType {
        var baseURL: URL { url("http://a.test") }
        var path: String { "/x" }
        var method: Moya.Method { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test func `a minimal target has default sample data, validation, timeout and cache policy`() {
        #expect(Minimal().sampleData.isEmpty)
        #expect(Minimal().validationType == .none)
        #expect(Minimal().timeoutInterval == nil)
        #expect(Minimal().cachePolicy == nil)
    }

    @Test func `the default endpoint has the URL, method, fields and sample of its target`() throws
    {
        let target = AnyTarget(
            path: "/p", method: .put, task: .requestData(Data([1])), headers: ["A": "b"],
            sampleData: Data("sample".utf8), timeoutInterval: 3,
            cachePolicy: .reloadIgnoringLocalCacheData)
        let endpoint = MoyaProvider<AnyTarget>.defaultEndpointMapping(for: target)
        #expect(endpoint.url == "http://host.test/p")
        #expect(endpoint.method == .put)
        #expect(endpoint.httpHeaderFields == ["A": "b"])
        #expect(endpoint.timeoutInterval == 3)
        #expect(endpoint.cachePolicy == .reloadIgnoringLocalCacheData)
        guard case .networkResponse(200, Data("sample".utf8)) = endpoint.sampleResponseClosure()
        else {
            Issue.record("The sample response is another.")
            return
        }
    }
}

@Suite struct MultiTargetTests {
    struct Inner: TargetType {
        var baseURL: URL { url("http://example.com") }
        var path: String { "/endpoint" }
        var method: Moya.Method { .post }
        var task: RequestTask {
            .requestParameters(parameters: ["k": "v"], encoding: JSONEncoding.default)
        }
        var sampleData: Data { Data("sample data".utf8) }
        var validationType: ValidationType { .successCodes }
        var headers: [String: String]? { ["headerKey": "headerValue"] }
        var timeoutInterval: TimeInterval? { 5 }
        var cachePolicy: URLRequest.CachePolicy? { .returnCacheDataElseLoad }
    }

    @Test func `a MultiTarget has the properties of its inner target`() throws {
        let target = MultiTarget(Inner())
        #expect(target.baseURL == Inner().baseURL)
        #expect(target.path == "/endpoint")
        #expect(target.method == .post)
        #expect(target.sampleData == Data("sample data".utf8))
        #expect(target.validationType == .successCodes)
        #expect(target.headers == ["headerKey": "headerValue"])
        #expect(target.timeoutInterval == 5)
        #expect(target.cachePolicy == .returnCacheDataElseLoad)
        #expect(target.target is Inner)
        let request = try MoyaProvider<MultiTarget>.defaultEndpointMapping(for: target).urlRequest()
        #expect(request.httpBody == Data(#"{"k":"v"}"#.utf8))
    }

    @Test func `a provider of MultiTarget makes requests for several target types`() async throws {
        let provider = MoyaProvider<MultiTarget>(
            stubClosure: MoyaProvider.immediatelyStub, transport: FixedTransport())
        #expect(try await provider.request(MultiTarget(GitHub.zen)).data == GitHub.zen.sampleData)
        #expect(try await provider.request(.target(Inner())).data == Inner().sampleData)
    }
}

@Suite struct MethodTests {
    @Test(arguments: [
        (Moya.Method.get, false), (.head, false), (.delete, false), (.options, false),
        (.trace, false),
        (.query, false), (.post, true), (.put, true), (.patch, true), (.connect, true),
    ])
    func `a method supports multipart if its requests may have a body`(
        method: Moya.Method, supports: Bool
    ) {
        #expect(method.supportsMultipart == supports)
    }

    @Test func `a method may be any token and is case-sensitive`() {
        #expect(Moya.Method(rawValue: "PURGE").rawValue == "PURGE")
        #expect(Moya.Method(rawValue: "get") != .get)
        #expect("\(Moya.Method.get)" == "GET")
    }
}

@Suite struct ValidationTypeTests {
    @Test(arguments: [
        (ValidationType.none, 500, true), (.successCodes, 200, true), (.successCodes, 299, true),
        (.successCodes, 300, false), (.successCodes, 199, false),
        (.successAndRedirectCodes, 399, true),
        (.successAndRedirectCodes, 400, false), (.customCodes([418]), 418, true),
        (.customCodes([418]), 200, false), (.customCodes([]), 500, true),
    ])
    func `a validation type accepts its status codes, or every status if its list is empty`(
        type: ValidationType, status: Int, accepts: Bool
    ) {
        #expect(type.accepts(status) == accepts)
        #expect((type.statusCodes.isEmpty || type.statusCodes.contains(status)) == accepts)
    }

    @Test func `validation types are equal if their cases and status codes are equal`() {
        #expect(ValidationType.customCodes([1]) == .customCodes([1]))
        #expect(ValidationType.customCodes([1]) != .customCodes([2]))
        #expect(ValidationType.successCodes != .successAndRedirectCodes)
    }
}
