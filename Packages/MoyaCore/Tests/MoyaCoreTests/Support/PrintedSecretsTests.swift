import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interpolated, reflected and dumped values.
@Suite struct PrintedSecretsTests {
    private static let secretURL = "https://ash:hush@h.test/p?token=hush&page=2#code=hush"

    private static func urlRequest() -> URLRequest {
        var request = URLRequest(url: url(secretURL))
        request.allHTTPHeaderFields = [
            "Authorization": "Bearer hush", "X-ApiKey": "hush", "Accept": "seen",
        ]
        request.httpBody = Data("password=hush".utf8)
        return request
    }

    private static func request() -> TransportRequest {
        TransportRequest(
            urlRequest(),
            credential: URLCredential(user: "ash", password: "hush", persistence: .none))
    }

    private static func head() -> ResponseHead {
        ResponseHead(
            statusCode: 401, url: url(secretURL),
            fields: [
                HeaderField(name: "Set-Cookie", value: "a=hush"),
                HeaderField(name: "Server", value: "seen"),
            ])
    }

    private static func response() -> Response {
        Response(
            statusCode: 401, data: Data(#"{"token":"hush"}"#.utf8), request: urlRequest(),
            response: HTTPURLResponse(
                url: url(secretURL), statusCode: 401, httpVersion: nil,
                headerFields: ["X-Auth-Token": "hush"]))
    }

    private struct Login: Encodable, Sendable { var password = "hush" }
    private struct Secretive: Error { var token = "hush" }

    static func values() -> [(String, Any)] {
        let task = RequestTask.requestCompositeParameters(
            bodyParameters: [
                "password": "hush", "deep": ["pin": "hush"], "list": [["jwt": "hush"]],
            ],
            bodyEncoding: JSONEncoding.default, urlParameters: ["token": "hush"])
        let tasks = [
            task, .requestJSONEncodable(Login()), .requestData(Data("hush".utf8)),
            .requestQuery(Login()),
            .requestPlain.addingQuery(Login()),
        ]
        let failing = URLError(
            .timedOut,
            userInfo: [
                NSURLErrorFailingURLErrorKey: url(secretURL),
                "NSErrorFailingURLStringKey": secretURL,
            ])
        let errors: [MoyaError] = [
            .statusCode(response()), .jsonMapping(response()), .requestMapping(secretURL),
            .underlying(failing, response()), .underlying(Secretive(), response()),
            .underlying(MoyaError.statusCode(response()), nil), .encodableMapping(Secretive()),
            .objectMapping(
                DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "hush")),
                response()),
            .underlying(
                NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "token=hush"]),
                nil),
        ]
        return [
            ("TransportRequest", request()), ("RequestBody", RequestBody.data(Data("hush".utf8))),
            ("HeaderField", HeaderField(name: "X-Api-Key", value: "hush")),
            ("URLTarget", URLTarget(secretURL, headers: ["Authorization": "Bearer hush"])),
            ("ResponseHead", head()),
            ("TransportResponse", TransportResponse(head: head(), body: .data(Data("hush".utf8)))),
            ("ResponseBody", ResponseBody.data(Data("hush".utf8))), ("Response", response()),
            ("ProgressResponse", ProgressResponse(response: response())),
            (
                "Endpoint",
                Endpoint(
                    url: secretURL, sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: .post,
                    task: task, httpHeaderFields: ["X-Api-Key": "hush"])
            ),
        ] + tasks.map { ("RequestTask", $0) } + errors.map { ("MoyaError", $0) }
            + errors.map { ("Result", Result<Response, MoyaError>.failure($0)) }
    }

    /// Returns all texts that Swift prints of a value: interpolation, debug description, dump and
    /// mirror.
    private static func printed(_ value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        walk(Mirror(reflecting: value), into: &text, depth: 0)
        return text
    }

    private static func walk(_ mirror: Mirror, into text: inout String, depth: Int) {
        guard depth < 12 else { return }
        for child in mirror.children {
            text += "\(child.label ?? ""): \(child.value) \(String(reflecting: child.value))\n"
            walk(Mirror(reflecting: child.value), into: &text, depth: depth + 1)
        }
    }

    /// Matches `hush` as decimal byte values, as a dump shows them.
    private static var bytes: Regex<Substring> { /104\D+117\D+115\D+104/ }

    @Test(arguments: values().indices)
    func `a printed, dumped or mirrored value shows no secret`(index: Int) {
        let (name, value) = Self.values()[index]
        let text = Self.printed(value)
        #expect(!text.contains("hush"), "\(name): \(text)")
        #expect(text.firstMatch(of: Self.bytes) == nil, "\(name): \(text)")
    }

    @Test func `a printed, dumped or mirrored request in willSend shows no secret`() async throws {
        let seen = Recorder<String>()
        struct Spy: PluginType {
            let seen: Recorder<String>
            func willSend(_ request: any RequestType, target: any TargetType) {
                _ = request.authenticate(username: "ash", password: "hush", persistence: .none)
                seen.record(PrintedSecretsTests.printed(request))
            }
        }
        let provider = MoyaProvider<Hidden>(
            transport: StubTransport(.response(200, data: Data())), plugins: [Spy(seen: seen)])
        _ = try await provider.request(Hidden())
        #expect(seen.count == 1)
        #expect(!(seen.items.first ?? "hush").contains("hush"))
    }

    private struct Hidden: TargetType {
        var baseURL: URL { url(PrintedSecretsTests.secretURL) }
        var path: String { "" }
        var method: HTTPMethod { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { ["X-Api-Key": "hush"] }
    }

    @Test func `a printed TransportRequest shows URL, fields and body size with secrets masked`() {
        #expect(
            "\(Self.request())"
                == "GET https://***@h.test/p?token=***&page=2#code=*** [Accept: seen, Authorization: ***, "
                + "X-ApiKey: ***], body of 13 bytes, credential: ***")
        #expect("\(HeaderField(name: "Server", value: "seen"))" == "Server: seen")
    }

    @Test(arguments: [
        ("https://ash:hush@h.test:8/a;jsessionid=hush/b;v=1;w/c?token=hush#hush", "a/b/c"),
        ("https://h.test:8/a%3Bjsessionid=hush/b%3bsid=hush;v=1/%20c", "a/b/%20c"),
        ("https://h.test:8/a%253Bjsessionid%253Dhush/b", "a/b"),
    ])
    func `the URL of a transport's error has neither credentials nor parameters`(
        failing: String, shown: String
    ) {
        let error = URLError(.timedOut, "", url: url(failing))
        #expect(error.failingURL?.absoluteString == "https://h.test:8/\(shown)")
    }
}
