import Foundation
import MoyaCore
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct EndpointTests {
    private let endpoint = Endpoint.test(headers: ["Title": "Dominar"])

    @Test func `adding header fields to an endpoint keeps its URL, method and other fields`() {
        let agent = "Zalbinian"
        let added = endpoint.adding(newHTTPHeaderFields: ["User-Agent": agent])
        #expect(added.httpHeaderFields == ["Title": "Dominar", "User-Agent": agent])
        #expect(added.url == endpoint.url)
        #expect(added.method == endpoint.method)
        #expect(endpoint.httpHeaderFields == ["Title": "Dominar"])
    }

    @Test func `adding a header field that an endpoint already has replaces its value`() {
        #expect(
            endpoint.adding(newHTTPHeaderFields: ["Title": "X"]).httpHeaderFields == ["Title": "X"])
    }

    @Test func `adding a header field in another case replaces the endpoint's field`() throws {
        let added = endpoint.adding(newHTTPHeaderFields: ["tItle": "X", "Other": "Y"])
        #expect(added.httpHeaderFields == ["tItle": "X", "Other": "Y"])
        #expect(try added.urlRequest().value(forHTTPHeaderField: "Title") == "X")
    }

    @Test func `adding no header fields leaves an endpoint unchanged`() {
        #expect(Endpoint.test().adding(newHTTPHeaderFields: [:]).httpHeaderFields == nil)
        #expect(endpoint.adding(newHTTPHeaderFields: [:]) == endpoint)
    }

    @Test func `replacing the task of an endpoint keeps its header fields`() throws {
        let replaced = endpoint.replacing(task: .requestData(Data("x".utf8)))
        #expect(replaced.httpHeaderFields == endpoint.httpHeaderFields)
        #expect(try replaced.urlRequest().httpBody == Data("x".utf8))
    }

    @Test func `a changed endpoint keeps its timeout and cache policy`() throws {
        let endpoint = Endpoint(
            url: "http://h.test", sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: .requestPlain, httpHeaderFields: nil, timeoutInterval: 7,
            cachePolicy: .returnCacheDataDontLoad)
        for changed in [
            endpoint, endpoint.adding(newHTTPHeaderFields: ["A": "b"]),
            endpoint.replacing(task: .requestData(Data())),
        ] {
            let request = try changed.urlRequest()
            #expect(request.timeoutInterval == 7)
            #expect(request.cachePolicy == .returnCacheDataDontLoad)
        }
    }

    @Test func `requestPlain sends the endpoint's URL, method and header fields without a body`()
        throws
    {
        let request = try endpoint.urlRequest()
        #expect(request.url?.absoluteString == endpoint.url)
        #expect(request.httpMethod == "GET")
        #expect(request.allHTTPHeaderFields == ["Title": "Dominar"])
        #expect(request.httpBody == nil)
        #expect(request.timeoutInterval == 60)
    }

    @Test func `requestData sends its data as the body`() throws {
        let request = try endpoint.replacing(task: .requestData(Data("test".utf8))).urlRequest()
        #expect(request.httpBody == Data("test".utf8))
        #expect(request.url?.absoluteString == endpoint.url)
        #expect(request.httpMethod == "GET")
        #expect(request.allHTTPHeaderFields == ["Title": "Dominar"])
    }

    struct Issue: Codable, Equatable {
        var title: String
        var createdAt: Date?
    }

    @Test func `requestJSONEncodable sends JSON with a JSON Content-Type`() throws {
        let issue = Issue(title: "Hello, Moya!", createdAt: Date(timeIntervalSinceReferenceDate: 0))
        let request = try endpoint.replacing(task: .requestJSONEncodable(issue)).urlRequest()
        #expect(try JSONDecoder().decode(Issue.self, from: #require(request.httpBody)) == issue)
        #expect(
            request.allHTTPHeaderFields
                == ["Title": "Dominar", "Content-Type": "application/json"])
        #expect(request.url?.absoluteString == endpoint.url)
        #expect(request.httpMethod == "GET")
    }

    @Test func `requestJSONEncodable keeps the Content-Type of the endpoint`() throws {
        let endpoint = Endpoint.test(
            task: .requestJSONEncodable(Issue(title: "")),
            headers: ["Content-Type": "application/hal+json"])
        #expect(
            try endpoint.urlRequest().value(forHTTPHeaderField: "Content-Type")
                == "application/hal+json")
    }

    @Test func `requestCustomJSONEncodable encodes the body with the given encoder`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let issue = Issue(title: "t", createdAt: Date(timeIntervalSince1970: 60))
        let task = RequestTask.requestCustomJSONEncodable(issue, encoder: encoder)
        let request = try endpoint.replacing(task: task).urlRequest()
        let body = try #require(request.httpBody)
        let object = try #require(JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(object["created_at"] as? Int == 60)
        #expect(
            request.allHTTPHeaderFields
                == ["Title": "Dominar", "Content-Type": "application/json"])
        #expect(request.url?.absoluteString == endpoint.url)
        #expect(request.httpMethod == "GET")
    }

    @Test
    func `requestParameters puts parameters into the body or the query chosen by their encoding`()
        throws
    {
        let parameters: Parameters = ["Nemesis": "Harvey"]
        let body = try endpoint.replacing(
            task: .requestParameters(parameters: parameters, encoding: JSONEncoding.default)
        ).urlRequest()
        #expect(body.httpBody == Data(#"{"Nemesis":"Harvey"}"#.utf8))
        #expect(body.url?.query == nil)
        let query = try endpoint.replacing(
            task: .requestParameters(parameters: parameters, encoding: URLEncoding.queryString)
        ).urlRequest()
        #expect(query.httpBody == nil)
        #expect(query.url?.query == "Nemesis=Harvey")
    }

    @Test func `requestCompositeData sends data in the body and parameters in the query`() throws {
        let task = RequestTask.requestCompositeData(
            bodyData: Data("body".utf8), urlParameters: ["Nemesis": "Harvey"])
        let request = try endpoint.replacing(task: task).urlRequest()
        #expect(request.httpBody == Data("body".utf8))
        #expect(request.url?.absoluteString == "http://host.test/path?Nemesis=Harvey")
        #expect(request.allHTTPHeaderFields == ["Title": "Dominar"])
        #expect(request.httpMethod == "GET")
    }

    @Test(arguments: [JSONEncoding.default, URLEncoding.httpBody] as [any ParameterEncoding])
    func `requestCompositeParameters sends parameters in the body and in the query`(
        encoding: any ParameterEncoding
    ) throws {
        let task = RequestTask.requestCompositeParameters(
            bodyParameters: ["b": 1], bodyEncoding: encoding, urlParameters: ["q": 2])
        let request = try Endpoint.test(method: .post, task: task).urlRequest()
        #expect(request.url?.query == "q=2")
        #expect(
            request.httpBody
                == (encoding is JSONEncoding ? Data(#"{"b":1}"#.utf8) : Data("b=1".utf8)))
    }

    @Test(arguments: [URLEncoding.default, .queryString])
    func `requestCompositeParameters throws an error for a bodyEncoding that writes a query`(
        encoding: URLEncoding
    )
        throws
    {
        let task = RequestTask.requestCompositeParameters(
            bodyParameters: ["b": 1], bodyEncoding: encoding, urlParameters: ["q": 2])
        let error = #expect(throws: MoyaError.self) { try Endpoint.test(task: task).urlRequest() }
        guard case .parameterEncoding(let cause) = error else {
            Testing.Issue.record("Expected .parameterEncoding, got \(String(describing: error)).")
            return
        }
        #expect(
            cause.localizedDescription
                == "The bodyEncoding of requestCompositeParameters must place its parameters in the body: "
                + "pass URLEncoding.httpBody or JSONEncoding, and put the rest in urlParameters.")
    }

    @Test func `requestQuery and addingQuery put the fields of a value into the query`() throws {
        struct Query: Encodable, Sendable {
            var q = "a b"
            var page = 2
        }
        let request = try endpoint.replacing(task: .requestQuery(Query())).urlRequest()
        #expect(request.url?.absoluteString == "http://host.test/path?q=a%20b&page=2")
        let both = RequestTask.requestJSONEncodable(["k": 1]).addingQuery(Query())
        let composite = try endpoint.replacing(task: both).urlRequest()
        #expect(composite.url?.query == "q=a%20b&page=2" || composite.url?.query == "q=a b&page=2")
        #expect(composite.httpBody == Data(#"{"k":1}"#.utf8))
    }

    @Test func `addingQuery appends to the query of a composite task`() throws {
        let task = RequestTask.requestCompositeData(
            bodyData: Data("body".utf8), urlParameters: ["a": 1]
        ).addingQuery(["b": 2]).addingQuery(["c": 3])
        let request = try endpoint.replacing(task: task).urlRequest()
        #expect(request.url?.query == "a=1&b=2&c=3")
        #expect(request.httpBody == Data("body".utf8))
        #expect(
            throws: MoyaError.self,
            performing: {
                let mixed = RequestTask.requestCompositeParameters(
                    bodyParameters: ["b": 1], bodyEncoding: URLEncoding.queryString,
                    urlParameters: [:]
                ).addingQuery(["c": 3])
                _ = try endpoint.replacing(task: mixed).urlRequest()
            })
    }

    @Test(arguments: [
        (URLEncoding.queryString, Moya.Method.post, "a=1&c=3", nil),
        (.default, .get, "a=1&c=3", nil),
        (.default, .post, "c=3", "a=1"),
        (.httpBody, .get, "c=3", "a=1"),
    ])
    func `addingQuery keeps the task's parameters in the body or the query`(
        encoding: URLEncoding, method: Moya.Method, query: String, body: String?
    ) throws {
        let task = RequestTask.requestParameters(parameters: ["a": 1], encoding: encoding)
            .addingQuery(["c": 3])
        let request = try Endpoint.test(method: method, task: task).urlRequest()
        #expect(request.url?.query == query)
        #expect(request.httpBody == body.map { Data($0.utf8) })
    }
}

@Suite struct EndpointBadInputTests {
    private func failure(_ endpoint: Endpoint) -> MoyaError? {
        do {
            _ = try endpoint.urlRequest()
            return nil
        } catch {
            return error as? MoyaError
        }
    }

    @Test(arguments: [
        "some invalid URL", "http://host.test/a b", "http://[::1", "http://host.test/\u{0}", "",
        "http://host.test:port/", "http://host.test/%zz", "http://host test/",
    ])
    func `an invalid URL is a requestMapping error with that URL`(text: String) {
        guard case .requestMapping(text) = failure(.test(url: text)) else {
            Issue.record(
                "Expected .requestMapping, got \(String(describing: failure(.test(url: text)))).")
            return
        }
    }

    @Test(arguments: ["", "GET /", "G\r\nX: 1", "GÉT", "GET\u{0}", " GET", "(GET)"])
    func `an invalid HTTP method is a RequestError`(method: String) {
        let error = failure(.test(method: Moya.Method(rawValue: method)))
        #expect(error?.underlyingError is RequestError)
        #expect(error?.errorDescription?.contains("is not an HTTP method") == true)
    }

    @Test(arguments: ["a\r\nb", "a\nb", "a\rb", "a\u{0}b", "a\u{7}b", "a\u{7F}b"])
    func `a control character in a header value is an error that does not show the value`(
        value: String
    ) {
        let error = failure(.test(headers: ["X-Token": "secret" + value]))
        #expect(error?.underlyingError is RequestError)
        #expect(
            error?.errorDescription
                == "The value of the header field \"X-Token\" contains a control character, such "
                + "as a line break. Remove it (RFC 9110, section 5.5).")
    }

    @Test(arguments: ["", "X Y", "X:", "X\r\nY", "X\u{0}", "Ü"])
    func `an invalid header field name is a RequestError`(name: String) {
        let error = failure(.test(headers: [name: "v"]))
        #expect(error?.underlyingError is RequestError)
        #expect(error?.errorDescription?.contains("is not a header field name") == true)
    }

    @Test(arguments: [
        ("X Client", "\"X Client\" is not a header field name: it contains \" \". "),
        ("X-Höhe", "\"X-Höhe\" is not a header field name: it contains \"ö\". "),
        ("X\n", "\"X\\n\" is not a header field name: it contains \"\\n\". "),
        ("", "\"\" is not a header field name: it is empty. "),
    ])
    func `the error for an invalid header field name shows the name and the invalid character`(
        name: String, message: String
    ) {
        let text = failure(.test(headers: [name: "v", "X-Valid": "v"]))?.errorDescription
        #expect(text?.hasPrefix(message) == true, "\(text ?? "")")
    }

    @Test func `of header fields whose names differ in case only, the last by name is sent`() throws
    {
        let names = ["Accept", "X-A", "X-B", "X-C", "X-D", "X-E", "X-F", "X-G"]
        var headers: [String: String] = ["X-Other": "other"]
        for name in names {
            headers[name] = "first"
            headers[name.lowercased()] = "last"
        }
        var expected = ["X-Other": "other"]
        for name in names { expected[name.lowercased()] = "last" }
        #expect(try Endpoint.test(headers: headers).urlRequest().allHTTPHeaderFields == expected)
        var raw = URLRequest(url: url("http://h.test/"))
        raw.allHTTPHeaderFields = headers
        #expect(TransportRequest(raw).urlRequest.allHTTPHeaderFields == expected)
    }

    @Test(arguments: ["plain", "tab\tinside", "Grüße", "", "a, b;c=\"d\""])
    func `a header value without forbidden characters is accepted`(value: String) {
        #expect(failure(.test(headers: ["X-Value": value])) == nil)
    }

    struct Unencodable: Encodable, Sendable {
        struct Failure: Error {}
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    @Test func `a JSON body that cannot be encoded is an encodableMapping error`() {
        guard
            case .encodableMapping(let cause) = failure(
                .test(task: .requestJSONEncodable(Unencodable())))
        else {
            Issue.record("Expected .encodableMapping.")
            return
        }
        #expect(cause is Unencodable.Failure)
    }

    @Test func `a query that cannot be encoded is a parameterEncoding error`() {
        guard
            case .parameterEncoding(let cause) = failure(.test(task: .requestQuery(Unencodable())))
        else {
            Issue.record("Expected .parameterEncoding.")
            return
        }
        #expect(cause is Unencodable.Failure)
    }

    struct FailingEncoding: ParameterEncoding {
        struct Failure: Error {}
        func encode(
            _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
        ) throws -> URLRequest { throw Failure() }
    }

    @Test func `a parameter encoding that throws is a parameterEncoding error`() {
        let task = RequestTask.requestParameters(parameters: [:], encoding: FailingEncoding())
        guard case .parameterEncoding(let cause) = failure(.test(task: task)) else {
            Issue.record("Expected .parameterEncoding.")
            return
        }
        #expect(cause is FailingEncoding.Failure)
    }
}
