import Foundation
import MoyaCore
import Testing

@Suite struct JSONEncodingTests {
    private let request = URLRequest(url: url("https://example.com/"))

    @Test func `JSONEncoding of nil parameters adds neither a body nor a Content-Type`() throws {
        let encoded = try JSONEncoding.default.encode(request, with: nil)
        #expect(encoded.httpBody == nil)
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func `JSONEncoding writes compact JSON with sorted keys and sets the Content-Type`()
        throws
    {
        let nested: [String: any Sendable] = [
            "list": ["a", 1, true] as [any Sendable], "none": NSNull(),
        ]
        let parameters: Parameters = ["z": 1.5, "foo": "bar", "nested": nested]
        let encoded = try JSONEncoding.default.encode(request, with: parameters)
        let body = String(decoding: try #require(encoded.httpBody), as: UTF8.self)
        #expect(body == #"{"foo":"bar","nested":{"list":["a",1,true],"none":null},"z":1.5}"#)
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(encoded.url?.query == nil)
    }

    @Test func `JSONEncoding writes nil as null at the top level, in arrays and in dictionaries`()
        throws
    {
        let nothing: String? = nil
        let parameters: Parameters = [
            "list": [1, nil] as [Int?], "map": ["key": nothing], "none": nothing, "some": 3 as Int?,
        ]
        let encoded = try JSONEncoding.default.encode(request, with: parameters)
        let body = String(decoding: try #require(encoded.httpBody), as: UTF8.self)
        #expect(body == #"{"list":[1,null],"map":{"key":null},"none":null,"some":3}"#)
    }

    @Test func `JSONEncoding writes equal bytes for equal parameters`() throws {
        let keys = (0..<50).map { "key\($0)" }
        let forwards = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1 as any Sendable) })
        let backwards = Dictionary(
            uniqueKeysWithValues: keys.reversed().map { ($0, 1 as any Sendable) })
        #expect(
            try JSONEncoding.default.encode(request, with: forwards).httpBody
                == JSONEncoding.default.encode(request, with: backwards).httpBody)
    }

    @Test func `JSONEncoding.prettyPrinted writes line breaks`() throws {
        let body = try JSONEncoding.prettyPrinted.encode(request, with: ["a": 1]).httpBody
        #expect(try #require(body).contains(UInt8(ascii: "\n")))
    }

    @Test func `JSONEncoding writes an array at the top level`() throws {
        let encoded = try JSONEncoding.default.encode(request, withJSONObject: ["Yes", "What", 3])
        #expect(encoded.httpBody == Data(#"["Yes","What",3]"#.utf8))
    }

    @Test func `JSONEncoding keeps a Content-Type that the request already has`() throws {
        var request = request
        request.setValue("application/vnd.api+json", forHTTPHeaderField: "Content-Type")
        let encoded = try JSONEncoding.default.encode(request, with: ["a": 1])
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
    }

    struct Opaque: Sendable {}

    static let impossible: [(any Sendable, String)] = [
        (Date(timeIntervalSince1970: 0), "Date"), (Double.nan, "nan"), (Double.infinity, "inf"),
        (Data([1]), "Data"), (Opaque(), "Opaque"), (url("http://a.test"), "URL"),
    ]

    @Test(arguments: impossible)
    func `JSONEncoding throws an error with the key path of a value that JSON cannot hold`(
        value: any Sendable, name: String
    ) throws {
        let list: [any Sendable] = [1, value]
        let inner: [String: any Sendable] = ["inner": list]
        let error = #expect(throws: ParameterEncodingError.self) {
            try JSONEncoding.default.encode(request, with: ["outer": inner])
        }
        let text = try #require(error?.description)
        #expect(text.contains("\"outer\".\"inner\"[1]"))
        #expect(text.contains(name))
    }

    @Test func `JSONEncoding throws an error for a value nested too deeply`() {
        #expect(throws: ParameterEncodingError.self) {
            try JSONEncoding.default.encode(request, with: ["deep": nested(2000)])
        }
    }
}
