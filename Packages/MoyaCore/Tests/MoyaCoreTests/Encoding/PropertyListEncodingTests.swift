import Foundation
import MoyaCore
import Testing

@Suite struct PropertyListEncodingTests {
    private let request = URLRequest(url: url("https://example.com/"))

    @Test(arguments: [PropertyListEncoding.default, .xml, .binary])
    func `PropertyListEncoding writes a property list that Foundation reads back`(
        encoding: PropertyListEncoding
    ) throws {
        let nested: [String: any Sendable] = ["list": [1, 2] as [any Sendable]]
        let parameters: Parameters = [
            "text": "é", "number": 1.5, "flag": true, "date": Date(timeIntervalSince1970: 7),
            "data": Data([1, 2]), "nested": nested,
        ]
        let encoded = try encoding.encode(request, with: parameters)
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/x-plist")
        let body = try #require(encoded.httpBody)
        let value = try PropertyListSerialization.propertyList(from: body, format: nil)
        let dictionary = try #require(value as? [String: Any])
        #expect(dictionary["text"] as? String == "é")
        #expect(dictionary["flag"] as? Bool == true)
        #expect(dictionary["date"] as? Date == Date(timeIntervalSince1970: 7))
        #expect(dictionary["data"] as? Data == Data([1, 2]))
        #expect((dictionary["nested"] as? [String: Any])?["list"] as? [Int] == [1, 2])
    }

    @Test func `PropertyListEncoding of nil parameters adds no body`() throws {
        #expect(try PropertyListEncoding.default.encode(request, with: nil).httpBody == nil)
    }

    @Test func `PropertyListEncoding throws an error for a value that a property list cannot hold`()
    {
        #expect(throws: ParameterEncodingError.self) {
            try PropertyListEncoding.default.encode(
                request, with: ["bad": JSONEncodingTests.Opaque()])
        }
    }

    @Test(arguments: [PropertyListEncoding.xml, .binary])
    func `PropertyListEncoding throws an error with the key path of a non-finite date`(
        encoding: PropertyListEncoding
    ) {
        for seconds in [Double.nan, .infinity, -.infinity] {
            let error = #expect(throws: ParameterEncodingError.self) {
                try encoding.encode(request, with: ["k": [Date(timeIntervalSince1970: seconds)]])
            }
            #expect(error?.description == "The date at \"k\"[0] is not finite.")
        }
    }

    @Test func `PropertyListEncoding throws an error for the OpenStep format`() {
        let error = #expect(throws: ParameterEncodingError.self) {
            try PropertyListEncoding(format: .openStep).encode(request, with: ["k": 1])
        }
        #expect(error?.description.contains("Use .xml or .binary.") == true)
    }

    @Test func `PropertyListEncoding writes integers of every width up to 64 bits`() throws {
        let integers: [any Sendable] = [
            Int.min, Int8.min, Int16.min, Int32.min, Int64.min, UInt8.max, UInt16.max, UInt32.max,
            UInt(7), UInt64(7),
        ]
        let encoded = try PropertyListEncoding.binary.encode(request, with: ["k": integers])
        let value = try PropertyListSerialization.propertyList(
            from: #require(encoded.httpBody), format: nil)
        let read = (value as? [String: Any])?["k"] as? [Int]
        #expect(
            read == [
                .min, Int(Int8.min), Int(Int16.min), Int(Int32.min), .min, 255, 65535,
                4_294_967_295, 7, 7,
            ])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `PropertyListEncoding throws an error for an Int128`() throws {
        for encoding in [PropertyListEncoding.xml, .binary] {
            let error = #expect(throws: ParameterEncodingError.self) {
                try encoding.encode(request, with: ["wide": Int128.max])
            }
            #expect(error?.description.contains("\"wide\" is of type Int128") == true)
        }
    }

    @Test func `PropertyListEncoding throws an error for a value nested too deeply`() {
        #expect(throws: ParameterEncodingError.self) {
            try PropertyListEncoding.default.encode(request, with: ["deep": nested(2000)])
        }
    }
}

/// Nested arrays.
func nested(_ depth: Int) -> any Sendable {
    var value: any Sendable = 1
    for _ in 0..<depth { value = [value] as [any Sendable] }
    return value
}
