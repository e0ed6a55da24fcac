import Foundation
import MoyaCore
import Testing

@Suite struct URLEncodingTests {
    private let request = URLRequest(url: url("https://example.com/"))

    private func query(_ parameters: Parameters, _ encoding: URLEncoding = .default) throws
        -> String?
    {
        try encoding.encode(request, with: parameters).url?.query(percentEncoded: true)
    }

    static let values: [(String, any Sendable, String)] = [
        ("text", "bar", "k=bar"), ("integer", 1, "k=1"), ("negative", -7, "k=-7"),
        ("double", 1.1, "k=1.1"), ("true", true, "k=1"), ("false", false, "k=0"),
        ("whole double", 5.0, "k=5"), ("negative double", -7.0, "k=-7"),
        ("whole float", Float(16_777_216), "k=16777216"), ("whole CGFloat", CGFloat(2), "k=2"),
        ("large double", 9_007_199_254_740_992.0, "k=9007199254740992"),
        ("double with an exponent", 1e20, "k=1e%2B20"), ("small double", 0.5, "k=0.5"),
        ("infinite double", Double.infinity, "k=inf"),
        ("whole double as object", NSNumber(value: 5.0), "k=5"),
        ("double as object", NSNumber(value: 1.5), "k=1.5"),
        ("optional double", Double?.some(5) as any Sendable, "k=5"),
        ("text of a double", "5.0", "k=5.0"), ("decimal", Decimal(5), "k=5"),
        ("array", ["a", 1, true] as [any Sendable], "k%5B%5D=a&k%5B%5D=1&k%5B%5D=1"),
        ("dictionary", ["a": 1] as [String: any Sendable], "k%5Ba%5D=1"),
        (
            "dictionary in dictionary",
            ["a": ["b": 1] as [String: any Sendable]] as [String: any Sendable],
            "k%5Ba%5D%5Bb%5D=1"
        ),
        (
            "array in dictionary", ["a": ["b", 1] as [any Sendable]] as [String: any Sendable],
            "k%5Ba%5D%5B%5D=b&k%5Ba%5D%5B%5D=1"
        ),
        (
            "sorted dictionary", ["z": 1, "a": 2, "m": 3] as [String: any Sendable],
            "k%5Ba%5D=2&k%5Bm%5D=3&k%5Bz%5D=1"
        ),
        ("empty text", "", "k="), ("ampersand", "a&b", "k=a%26b"), ("equals", "a=b", "k=a%3Db"),
        ("plus", "+", "k=%2B"), ("space", " ", "k=%20"), ("percent", "%25", "k=%2525"),
        ("question mark and slash", "/?", "k=/?"), ("hash", "#", "k=%23"),
        ("unreserved characters", "-._~", "k=-._~"),
        ("other delimiters", ":[]@!$'()*,;", "k=%3A%5B%5D%40%21%24%27%28%29%2A%2C%3B"),
        ("quotes and brackets", "\"<>\\^`{|}", "k=%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("latin", "é", "k=%C3%A9"), ("arabic", "شكرا", "k=%D8%B4%D9%83%D8%B1%D8%A7"),
        ("emoji", "😃", "k=%F0%9F%98%83"), ("line break", "\r\n", "k=%0D%0A"),
        ("a string of many characters", String(repeating: "é", count: 3), "k=%C3%A9%C3%A9%C3%A9"),
        ("number as object", NSNumber(value: 5), "k=5"),
        ("one as object", NSNumber(value: 1), "k=1"),
        ("large integer", UInt64.max, "k=18446744073709551615"),
    ]

    // RFC 6570, section 3.2.8, with the variables of its section 3.2: {?list} is
    // ?list=red,green,blue. OpenAPI's style form with explode=false refers to it.
    static let lists: [(String, [any Sendable], String)] = [
        ("values", ["red", "green", "blue"], "k=red,green,blue"),
        ("one value", ["red"], "k=red"), ("no value", [], ""),
        ("reserved characters", ["a,b", "c&d", " "], "k=a%2Cb,c%26d,%20"),
        ("numbers and booleans", [1, 2.0, true], "k=1,2,1"),
        ("an undefined value", [1, Int?.none as any Sendable, 3], "k=1,3"),
        ("only undefined values", [Int?.none as any Sendable], ""),
        ("an empty value", ["", "a"], "k=,a"),
    ]

    @Test(arguments: lists)
    func `URLEncoding joins the values of an array with commas`(
        name: String, list: [any Sendable], expected: String
    ) throws {
        let encoding = URLEncoding(arrayEncoding: .commaSeparated)
        #expect(try query(["k": list], encoding) ?? "" == expected)
        let body = URLEncoding(destination: .httpBody, arrayEncoding: .commaSeparated)
        let sent = try body.encode(request, with: ["k": list]).httpBody
        #expect(sent == Data(expected.utf8))
        #expect(
            encoding.queryComponents(fromKey: "k", value: list).count == (expected.isEmpty ? 0 : 1))
    }

    @Test func `an array within an array or a dictionary is joined, or is an error`() throws {
        let encoding = URLEncoding(arrayEncoding: .commaSeparated)
        let inner = ["a": [1, 2] as [any Sendable]] as [String: any Sendable]
        #expect(try query(["k": inner], encoding) == "k%5Ba%5D=1,2")
        let nested: [[any Sendable]] = [
            [[1] as [any Sendable]], [1, ["a": 1] as [String: any Sendable]],
        ]
        for list in nested {
            let error = #expect(throws: ParameterEncodingError.self) {
                try query(["k": list], encoding)
            }
            #expect(error?.description.contains("The array at \"k\"") == true)
        }
    }

    @Test func `a query of an endpoint's task keeps the encoding of arrays`() throws {
        let encoding = URLEncoding(arrayEncoding: .commaSeparated)
        let endpoint = Endpoint(
            url: "http://a.test", sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .post,
            task: RequestTask(query: .parameters(["k": ["a", "b"]], encoding: encoding)),
            httpHeaderFields: nil)
        #expect(try endpoint.urlRequest().url?.absoluteString == "http://a.test?k=a,b")
    }

    @Test(arguments: values)
    func `URLEncoding writes a value of any type percent-encoded`(
        name: String, value: any Sendable, expected: String
    ) throws {
        #expect(try query(["k": value]) == expected)
    }

    @Test func `URLEncoding sorts parameters by key`() throws {
        #expect(try query(["b": 1, "a": 2, "c": 3]) == "a=2&b=1&c=3")
    }

    @Test func `URLEncoding percent-encodes keys`() throws {
        #expect(try query(["a b&c": 1]) == "a%20b%26c=1")
    }

    @Test func `URLEncoding of nil or empty parameters leaves the URL unchanged`() throws {
        #expect(try URLEncoding.default.encode(request, with: nil).url == request.url)
        #expect(try URLEncoding.default.encode(request, with: [:]).url == request.url)
    }

    @Test func `URLEncoding appends parameters to an existing query`() throws {
        let request = URLRequest(url: url("https://example.com/?hd=%5B1%5D"))
        let encoded = try URLEncoding.default.encode(request, with: ["page": 0])
        #expect(encoded.url?.absoluteString == "https://example.com/?hd=%5B1%5D&page=0")
    }

    @Test(arguments: ["1:80", ".:80/a"])
    func `URLEncoding throws an error with the URL when URLComponents cannot parse the URL`(
        text: String
    ) throws {
        // `URL(dataRepresentation:)` accepts these texts, but URLComponents does not.
        let url = try #require(URL(dataRepresentation: Data(text.utf8), relativeTo: nil))
        try #require(URLComponents(url: url, resolvingAgainstBaseURL: true) == nil)
        let error = #expect(throws: ParameterEncodingError.self) {
            try URLEncoding.default.encode(URLRequest(url: url), with: ["k": 1])
        }
        #expect(error?.description.contains(url.absoluteString) == true)
    }

    @Test(arguments: [
        (URLEncoding.ArrayEncoding.brackets, "k%5B%5D=1&k%5B%5D=2"), (.noBrackets, "k=1&k=2"),
        (.indexInBrackets, "k%5B0%5D=1&k%5B1%5D=2"), (.custom { "\($0).\($1 + 1)" }, "k.1=1&k.2=2"),
    ])
    func `URLEncoding writes arrays in the format of its arrayEncoding`(
        encoding: URLEncoding.ArrayEncoding, expected: String
    ) throws {
        #expect(try query(["k": [1, 2]], URLEncoding(arrayEncoding: encoding)) == expected)
    }

    @Test func `URLEncoding writes nested arrays with indices in brackets`() throws {
        let encoding = URLEncoding(arrayEncoding: .indexInBrackets)
        let nested: [any Sendable] = ["a", ["b"] as [any Sendable]]
        #expect(try query(["k": nested], encoding) == "k%5B0%5D=a&k%5B1%5D%5B0%5D=b")
    }

    @Test(arguments: [(URLEncoding.BoolEncoding.numeric, "k=1"), (.literal, "k=true")])
    func `URLEncoding writes booleans in the format of its boolEncoding`(
        encoding: URLEncoding.BoolEncoding, expected: String
    ) throws {
        #expect(try query(["k": true], URLEncoding(boolEncoding: encoding)) == expected)
    }

    @Test func `URLEncoding with literal booleans writes the numbers 1 and 0 as numbers`() throws {
        #expect(try query(["k": 1, "l": 0], URLEncoding(boolEncoding: .literal)) == "k=1&l=0")
    }

    @Test(arguments: ["GET", "HEAD", "DELETE"])
    func `URLEncoding.default puts parameters into the query of GET, HEAD and DELETE`(
        method: String
    ) throws {
        var request = request
        request.httpMethod = method
        let encoded = try URLEncoding.default.encode(request, with: ["k": 1])
        #expect(encoded.url?.query == "k=1")
        #expect(encoded.httpBody == nil)
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "OPTIONS"])
    func `URLEncoding.default puts parameters into the body of POST, PUT, PATCH and OPTIONS`(
        method: String
    ) throws {
        var request = request
        request.httpMethod = method
        let encoded = try URLEncoding.default.encode(request, with: ["k": 1, "a": "b c"])
        #expect(encoded.url?.query == nil)
        #expect(encoded.httpBody == Data("a=b%20c&k=1".utf8))
        #expect(
            encoded.value(forHTTPHeaderField: "Content-Type")
                == "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test func `URLEncoding keeps a Content-Type that the request already has`() throws {
        var request = request
        request.httpMethod = "POST"
        request.setValue("text/form", forHTTPHeaderField: "Content-Type")
        let encoded = try URLEncoding.default.encode(request, with: ["k": 1])
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "text/form")
    }

    @Test func `URLEncoding.queryString puts parameters into the query of a POST request`() throws {
        var request = request
        request.httpMethod = "POST"
        let encoded = try URLEncoding.queryString.encode(request, with: ["k": 1])
        #expect(encoded.url?.query == "k=1")
        #expect(encoded.httpBody == nil)
    }

    @Test func `URLEncoding.httpBody puts parameters into the body of a GET request`() throws {
        let encoded = try URLEncoding.httpBody.encode(request, with: ["k": 1])
        #expect(encoded.url?.query == nil)
        #expect(encoded.httpBody == Data("k=1".utf8))
    }

    @Test func `URLEncoding writes an optional as its value, and nil as an empty value`() throws {
        let some: String? = "x"
        let none: String? = nil
        #expect(try query(["a": some as any Sendable, "b": none as any Sendable]) == "a=x&b=")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `URLEncoding throws an error with the key of a date that is not finite`(seconds: Double) {
        let parameters: Parameters = [
            "k": ["a": Optional(Date(timeIntervalSince1970: seconds)) as any Sendable]
        ]
        let error = #expect(throws: ParameterEncodingError.self) {
            try URLEncoding.default.encode(request, with: parameters)
        }
        #expect(error?.description == "The date at \"k[a]\" is not finite.")
    }

    @Test func `URLEncoding throws an error for a value nested too deeply`() {
        #expect(throws: ParameterEncodingError.self) {
            try URLEncoding.default.encode(request, with: ["deep": nested(2000)])
        }
        #expect(URLEncoding.default.queryComponents(fromKey: "k", value: nested(2000)).isEmpty)
        #expect(URLEncoding.default.queryComponents(fromKey: "k", value: nested(100)).count == 1)
    }
}
