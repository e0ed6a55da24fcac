import Foundation
import MoyaCore
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ResponseFilterTests {
    @Test(arguments: [
        (100, false), (199, false), (200, true), (204, true), (299, true), (300, false),
        (404, false), (500, false),
    ])
    func `filterSuccessfulStatusCodes accepts 200 to 299`(status: Int, passes: Bool) {
        #expect(
            ((try? Response("", status: status).filterSuccessfulStatusCodes()) != nil) == passes)
    }

    @Test(arguments: [
        (199, false), (200, true), (301, true), (399, true), (400, false), (600, false),
    ])
    func `filterSuccessfulStatusAndRedirectCodes accepts 200 to 399`(status: Int, passes: Bool) {
        let response = Response("", status: status)
        #expect(((try? response.filterSuccessfulStatusAndRedirectCodes()) != nil) == passes)
    }

    @Test(arguments: [(404, true), (403, false), (405, false)])
    func `filtering by one status code accepts only that status code`(status: Int, passes: Bool) {
        #expect(((try? Response("", status: status).filter(statusCode: 404)) != nil) == passes)
    }

    @Test func `filtering by status codes accepts half-open and one-sided ranges`() throws {
        let response = Response("", status: 404)
        #expect(try response.filter(statusCodes: 400..<405) === response)
        #expect(try response.filter(statusCodes: 404...) === response)
        #expect(try response.filter(statusCodes: ...404) === response)
        #expect((try? response.filter(statusCodes: ..<404)) == nil)
    }

    @Test func `the error of a status code filter has the refused response`() throws {
        let response = Response("why", status: 500)
        let error = #expect(throws: MoyaError.self) { try response.filterSuccessfulStatusCodes() }
        guard case .statusCode(let refused) = error else {
            Issue.record("Expected .statusCode, got \(String(describing: error)).")
            return
        }
        #expect(refused === response)
    }
}

@Suite struct ResponseConversionTests {
    private let head = HTTPURLResponse(
        url: url("http://a.test"), statusCode: 299, httpVersion: nil, headerFields: nil)

    @Test func `convertResponseToResult returns a response with its body and request`() throws {
        let request = URLRequest(url: url("http://a.test"))
        let response = try convertResponseToResult(
            head, request: request, data: Data("x".utf8), error: nil
        ).get()
        #expect(response.statusCode == 299)
        #expect(response.data == Data("x".utf8))
        #expect(response.request == request)
        #expect(
            try convertResponseToResult(head, request: nil, data: nil, error: nil).get().data
                == Data())
    }

    @Test func `convertResponseToResult returns an error with the response when given both`() throws
    {
        let error = NSError(domain: "d", code: 7)
        guard
            case .failure(.underlying(let cause, let response?)) = convertResponseToResult(
                head, request: nil, data: Data("why".utf8), error: error)
        else {
            Issue.record("Expected .underlying with the response.")
            return
        }
        #expect(cause as NSError == error)
        #expect(response.data == Data("why".utf8))
        let alone = convertResponseToResult(
            nil, request: nil, data: nil, error: URLError(.timedOut))
        #expect(alone.urlErrorCode == NSURLErrorTimedOut)
    }

    @Test func `convertResponseToResult without a response or error is NSURLErrorUnknown`() {
        let result = convertResponseToResult(nil, request: nil, data: nil, error: nil)
        #expect(result.urlErrorCode == NSURLErrorUnknown)
    }
}

@Suite struct ResponseTests {
    @Test func `the description of a response shows its status code and data length`() {
        let response = Response("12345", status: 201)
        #expect(response.description == "Status Code: 201, Data Length: 5")
        #expect(response.debugDescription == response.description)
    }

    @Test func `responses with equal status, body and head are equal`() throws {
        func head(_ fields: [String: String]) throws -> HTTPURLResponse {
            try #require(
                HTTPURLResponse(
                    url: url("http://a.test"), statusCode: 200, httpVersion: nil,
                    headerFields: fields))
        }
        let data = Data("a".utf8)
        #expect(Response(statusCode: 200, data: data) == Response(statusCode: 200, data: data))
        #expect(Response(statusCode: 200, data: data) != Response(statusCode: 201, data: data))
        #expect(Response(statusCode: 200, data: data) != Response(statusCode: 200, data: Data()))
        let request = URLRequest(url: url("http://a.test"))
        #expect(
            Response(statusCode: 200, data: data, request: request)
                == Response(statusCode: 200, data: data))
        let one = try Response(statusCode: 200, data: data, response: head(["A": "1"]))
        #expect(try one == Response(statusCode: 200, data: data, response: head(["A": "1"])))
        #expect(one != Response(statusCode: 200, data: data))
        // `HTTPURLResponse ==` ignores header fields on Linux.
        #expect(try one != Response(statusCode: 200, data: data, response: head(["A": "2"])))
        #expect(try one != Response(statusCode: 200, data: data, response: head(["B": "1"])))
        #expect(
            try one != Response(statusCode: 200, data: data, response: head(["A": "1", "B": ""])))
        #expect(try one == Response(statusCode: 200, data: data, response: head(["a": "1"])))
    }

    @Test func `responses of a transport with different header fields or URLs are different`()
        async throws
    {
        func response(_ path: String, _ fields: [HeaderField]) async throws -> Response {
            let transport = StubTransport { _ in
                TransportResponse(
                    head: ResponseHead(
                        statusCode: 200, url: url("http://a.test\(path)"), fields: fields))
            }
            return try await MoyaProvider<GitHub>(transport: transport).request(.zen)
        }
        let fields = [HeaderField(name: "A", value: "1"), HeaderField(name: "B", value: "2")]
        let one = try await response("/a", fields)
        #expect(try await response("/a", fields.reversed()) == one)
        #expect(try await response("/a", [fields[0]]) != one)
        #expect(try await response("/b", fields) != one)
    }

    @Test func `a response finds header fields by names in any case`() throws {
        let response = Response(
            statusCode: 200, data: Data(),
            response: HTTPURLResponse(
                url: url("http://a.test"), statusCode: 200, httpVersion: nil,
                headerFields: ["Content-Type": "text/plain"]))
        #expect(response.header("content-type") == "text/plain")
        #expect(response.header("missing") == nil)
    }
}

@Suite struct ResponseMappingTests {
    struct Issue: Codable, Equatable {
        var title: String
        var rating: Double?
        var createdAt: Date?
    }

    static let json = """
        {"title": "T", "n": 3, "big": 9007199254740993, "price": 0.1, "flag": true, "null": null,
         "user": {"name": "N", "tags": ["a", "b"], "id": 7},
         "issues": [{"title": "one"}, {"title": "two"}], "empty": []}
        """
    let response = Response(json)

    @Test func `mapJSON returns dictionaries, arrays and single values`() throws {
        #expect((try response.mapJSON() as? [String: Any])?["title"] as? String == "T")
        #expect(try Response("[1]").mapJSON() as? [Int] == [1])
        #expect(try Response("\"text\"").mapJSON() as? String == "text")
        #expect(try Response("null").mapJSON() is NSNull)
    }

    @Test(arguments: ["", "not JSON", "{\"a\": }", "{\"a\": 1", "\u{0}"])
    func `mapJSON of invalid JSON is a jsonMapping error`(text: String) {
        let error = #expect(throws: MoyaError.self) { try Response(text).mapJSON() }
        guard case .jsonMapping = error else {
            Testing.Issue.record("Expected .jsonMapping, got \(String(describing: error)).")
            return
        }
    }

    @Test func `mapJSON of an empty body is NSNull if failsOnEmptyData is false`() throws {
        #expect(try Response("").mapJSON(failsOnEmptyData: false) is NSNull)
    }

    @Test func `mapString returns the body as a string`() throws {
        #expect(try Response("Grüße").mapString() == "Grüße")
        #expect(try Response("").mapString() == "")
    }

    @Test func `mapString of invalid UTF-8 is a stringMapping error`() {
        let response = Response(statusCode: 200, data: Data([0xFF, 0xFE, 0x80]))
        let error = #expect(throws: MoyaError.self) { try response.mapString() }
        guard case .stringMapping = error else {
            Testing.Issue.record("Expected .stringMapping, got \(String(describing: error)).")
            return
        }
    }

    @Test(arguments: [("title", "T"), ("user.name", "N")])
    func `mapString returns the string at a key path`(keyPath: String, expected: String) throws {
        #expect(try response.mapString(atKeyPath: keyPath) == expected)
    }

    @Test(arguments: ["missing", "user", "n", "user.missing", "", ".", "title.deeper"])
    func `mapString at a key path without a string is a stringMapping error`(keyPath: String) {
        let error = #expect(throws: MoyaError.self) { try response.mapString(atKeyPath: keyPath) }
        guard case .stringMapping = error else {
            Testing.Issue.record("Expected .stringMapping, got \(String(describing: error)).")
            return
        }
    }

    @Test func `map decodes the whole body`() throws {
        #expect(try response.map(Issue.self) == Issue(title: "T"))
        #expect(
            try Response(#"[{"title":"a"},{"title":"b"}]"#).map([Issue].self).map(\.title) == [
                "a", "b",
            ])
    }

    @Test func `map decodes the value at a key path`() throws {
        #expect(try response.map(String.self, atKeyPath: "user.name") == "N")
        #expect(try response.map(Int.self, atKeyPath: "user.id") == 7)
        #expect(try response.map(Int.self, atKeyPath: "big") == 9_007_199_254_740_993)
        #expect(try response.map(Double.self, atKeyPath: "price") == 0.1)
        #expect(try response.map(Bool.self, atKeyPath: "flag") == true)
        #expect(try response.map([String].self, atKeyPath: "user.tags") == ["a", "b"])
        #expect(try response.map([Issue].self, atKeyPath: "issues").count == 2)
        #expect(try response.map([Int].self, atKeyPath: "empty") == [])
    }

    @Test func `map with a key path through an array returns the values of all elements`() throws {
        #expect(try response.map([String].self, atKeyPath: "issues.title") == ["one", "two"])
    }

    @Test func `map decodes with the strategies of the given decoder`() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let issue = try Response(#"{"title":"t","created_at":60}"#).map(Issue.self, using: decoder)
        #expect(issue.createdAt == Date(timeIntervalSince1970: 60))
    }

    @Test func `map to a type that does not match is an objectMapping error with its cause`() {
        let error = #expect(throws: MoyaError.self) { try response.map([Int].self) }
        guard case .objectMapping(let cause, let refused) = error else {
            Testing.Issue.record("Expected .objectMapping, got \(String(describing: error)).")
            return
        }
        #expect(cause is DecodingError)
        #expect(refused === response)
    }

    @Test func `map at a missing key path is a jsonMapping error`() {
        let error = #expect(throws: MoyaError.self) {
            try response.map(Issue.self, atKeyPath: "nowhere.at.all")
        }
        guard case .jsonMapping = error else {
            Testing.Issue.record("Expected .jsonMapping, got \(String(describing: error)).")
            return
        }
    }

    struct Lenient: Decodable, Equatable { var title: String? }

    @Test func `map decodes an empty body as an empty object or a one-element array`() throws {
        let empty = Response("")
        #expect(try empty.map(Lenient.self, failsOnEmptyData: false) == Lenient())
        #expect(try empty.map([Lenient].self, failsOnEmptyData: false) == [Lenient()])
        #expect(try empty.map(Lenient.self, atKeyPath: "a.b", failsOnEmptyData: false) == Lenient())
        #expect(throws: MoyaError.self) { try empty.map(Lenient.self) }
        #expect(throws: MoyaError.self) { try empty.map(Issue.self, failsOnEmptyData: false) }
    }

    @Test func `map does not convert a value to another type`() {
        #expect(throws: MoyaError.self) { try response.map(Bool.self, atKeyPath: "n") }
        #expect(throws: MoyaError.self) { try response.map(Int.self, atKeyPath: "title") }
        #expect(throws: MoyaError.self) { try response.map(String.self, atKeyPath: "user.tags") }
        #expect(throws: MoyaError.self) { try response.map([String].self, atKeyPath: "title") }
    }

    @Test func `map decodes a string as a URL`() throws {
        let value = try Response(#"{"a":{"url":"http://h.test/x"}}"#).map(
            URL.self, atKeyPath: "a.url")
        #expect(value == url("http://h.test/x"))
    }

    @Test func `mapJSON of very deeply nested JSON is an error`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: MoyaError.self) { try Response(deep).mapJSON() }
    }
}
