import Foundation
import MoyaCore
import Testing

@Suite struct URLQueryEncoderTests {
    struct Search: Encodable {
        var q = "a b"
        var page: Int? = 2
        var exact = true
        var tags = ["x", "y"]
        var ratio = 0.5
        var since = Date(timeIntervalSince1970: 0)
        var range = Range(low: 1, high: 9)
        var nothing: String?

        struct Range: Encodable {
            enum CodingKeys: CodingKey { case low, high }
            var low: Int
            var high: Int
        }
    }

    @Test func `URLQueryEncoder writes fields in the order of their coding keys`() throws {
        #expect(
            try URLQueryEncoder().queryString(for: Search())
                == "q=a%20b&page=2&exact=1&tags%5B%5D=x&tags%5B%5D=y&ratio=0.5"
                + "&since=1970-01-01T00%3A00%3A00Z&range%5Blow%5D=1&range%5Bhigh%5D=9")
    }

    @Test func `URLQueryEncoder applies its array, boolean and date encodings`() throws {
        struct Value: Encodable {
            var list = [1, 2]
            var flag = false
            var date = Date(timeIntervalSince1970: 1.5)
        }
        let encoder = URLQueryEncoder(
            arrayEncoding: .indexInBrackets, boolEncoding: .literal, dateEncoding: .secondsSince1970
        )
        #expect(
            try encoder.queryString(for: Value())
                == "list%5B0%5D=1&list%5B1%5D=2&flag=false&date=1.5")
        let custom = URLQueryEncoder(
            arrayEncoding: .noBrackets, dateEncoding: .custom { _ in "then" })
        #expect(try custom.queryString(for: Value()) == "list=1&list=2&flag=0&date=then")
    }

    private let joining = URLQueryEncoder(arrayEncoding: .commaSeparated)

    // RFC 6570, section 3.2.8: an undefined value is omitted, a comma in a value is escaped.
    @Test func `URLQueryEncoder joins the values of an array with commas`() throws {
        struct Value: Encodable {
            var before = "a"
            var colors = ["red", "light,blue"]
            var none: [Int] = []
            var some: [Int?] = [1, nil, 3]
            var dates = [Date(timeIntervalSince1970: 0)]
            var orders = [Order.newest, .newest]
            var map = ["k": [true, false]]
            var after = 2
        }
        #expect(
            try joining.queryString(for: Value())
                == "before=a&colors=red,light%2Cblue&some=1,3&dates=1970-01-01T00%3A00%3A00Z"
                + "&orders=newest,newest&map%5Bk%5D=1,0&after=2")
    }

    /// Encodes into two arrays in turns.
    private struct Interleaved: Encodable {
        enum CodingKeys: CodingKey { case a, b, c }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var first = container.nestedUnkeyedContainer(forKey: .a)
            var second = container.nestedUnkeyedContainer(forKey: .b)
            try container.encode(0, forKey: .c)
            try first.encode(1)
            try second.encode(2)
            try second.encodeNil()
            try first.encode(3)
        }
    }

    @Test func `arrays that are encoded in turns keep their values`() throws {
        #expect(try joining.queryString(for: Interleaved()) == "c=0&a=1,3&b=2")
    }

    @Test func `an array of arrays or of structs cannot be joined with commas`() {
        struct Arrays: Encodable { var list = [[1]] }
        struct Fields: Encodable { var list = [Search.Range(low: 1, high: 2)] }
        struct Map: Encodable { var list = [["a": 1]] }
        for value in [Arrays(), Fields(), Map()] as [any Encodable] {
            let error = #expect(throws: EncodingError.self) {
                try joining.queryString(for: value)
            }
            guard case .invalidValue(_, let context) = error else { continue }
            #expect(context.debugDescription.contains("comma-separated"))
        }
        #expect(throws: EncodingError.self) { try joining.queryString(for: [1, 2]) }
    }

    @Test func `URLQueryEncoder writes integers, floating-point numbers, decimals and URLs`() throws
    {
        struct Value: Encodable {
            var a = Int8.min
            var b = UInt64.max
            var c = Float(0.25)
            var d = Decimal(string: "1.10")
            var e = url("https://a.test/?q=1")
        }
        #expect(
            try URLQueryEncoder().queryString(for: Value())
                == "a=-128&b=18446744073709551615&c=0.25&d=1.1&e=https%3A//a.test/?q%3D1")
    }

    enum Order: String, Encodable { case newest }

    @Test func `URLQueryEncoder writes enums, dictionaries and arrays of structs`() throws {
        struct Value: Encodable {
            var order = Order.newest
            var map = ["k": 1]
            var list = [Search.Range(low: 1, high: 2)]
        }
        #expect(
            try URLQueryEncoder().queryString(for: Value())
                == "order=newest&map%5Bk%5D=1&list%5B%5D%5Blow%5D=1&list%5B%5D%5Bhigh%5D=2")
    }

    static let letters = "abcdefghijklmnopqrstuvwxyz".map { "\($0)" }

    @Test func `URLQueryEncoder sorts a top-level dictionary by key`() throws {
        let values = Dictionary(uniqueKeysWithValues: Self.letters.map { ($0, $0) })
        let sorted = Self.letters.map { "\($0)=\($0)" }.joined(separator: "&")
        #expect(try URLQueryEncoder().queryString(for: values) == sorted)
        #expect(try URLQueryEncoder().queryString(for: Optional(values)) == sorted)
    }

    @Test func `URLQueryEncoder sorts nested dictionaries by key, but neither fields nor arrays`()
        throws
    {
        struct Value: Encodable {
            var z = [["b": Search.Range(low: 2, high: 1), "a": Search.Range(low: 4, high: 3)]]
            var y = ["b": ["d": [2, 1]], "a": ["c": [4, 3]]]
            var x = Dictionary(uniqueKeysWithValues: (1...9).map { ($0, $0) })
        }
        let encoder = URLQueryEncoder(arrayEncoding: .noBrackets)
        let query = try encoder.queryString(for: Value())
        #expect(
            query.removingPercentEncoding
                == "z[a][low]=4&z[a][high]=3&z[b][low]=2&z[b][high]=1"
                + "&y[a][c]=4&y[a][c]=3&y[b][d]=2&y[b][d]=1&"
                + (1...9).map { "x[\($0)]=\($0)" }.joined(separator: "&"))
    }

    @Test func `URLQueryEncoder writes a dictionary with Boolean keys as an array`() throws {
        struct Value: Encodable { var map = [true: 1] }
        let query = try URLQueryEncoder().queryString(for: Value())
        #expect(query.removingPercentEncoding == "map[]=1&map[]=1")
    }

    @Test func `URLQueryEncoder omits nil values of a dictionary`() throws {
        let values: [String: Int?] = ["a": nil, "b": 1]
        #expect(try URLQueryEncoder().queryString(for: values) == "b=1")
    }

    @Test func `URLQueryEncoder throws an error for a top-level array or string`() {
        #expect(throws: EncodingError.self) { try URLQueryEncoder().queryString(for: [1, 2]) }
        #expect(throws: EncodingError.self) { try URLQueryEncoder().queryString(for: "text") }
    }

    struct Meeting: Encodable { var at: Date }

    @Test(arguments: [
        Double.nan, .infinity, -.infinity, 1e17, -1e17, 253_402_300_800,
    ])
    func `URLQueryEncoder throws an error with the field of a date outside RFC 3339`(
        seconds: Double
    ) {
        let meeting = Meeting(at: Date(timeIntervalSince1970: seconds))
        let error = #expect(throws: EncodingError.self) {
            try URLQueryEncoder().queryString(for: meeting)
        }
        guard case .invalidValue(_, let context) = error else {
            Issue.record("Expected .invalidValue, got \(String(describing: error)).")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["at"])
        #expect("\(error, default: "")".contains("The date at \"at\""))
    }

    @Test func `URLQueryEncoder writes the first and the last date of RFC 3339`() throws {
        #expect(
            try URLQueryEncoder().queryString(
                for: Meeting(at: Date(timeIntervalSince1970: 253_402_300_799)))
                == "at=9999-12-31T23%3A59%3A59Z")
        #expect(
            try URLQueryEncoder().queryString(for: Meeting(at: .distantPast))
                == "at=0001-01-01T00%3A00%3A00Z")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `URLQueryEncoder throws an error for a non-finite date in seconds`(seconds: Double) {
        let encoder = URLQueryEncoder(dateEncoding: .secondsSince1970)
        let meeting = Meeting(at: Date(timeIntervalSince1970: seconds))
        #expect(throws: EncodingError.self) { try encoder.queryString(for: meeting) }
    }

    @Test func `URLQueryEncoder passes every date, finite or not, to a custom date encoding`()
        throws
    {
        let encoder = URLQueryEncoder(dateEncoding: .custom { "\($0.timeIntervalSince1970.isNaN)" })
        let meeting = Meeting(at: Date(timeIntervalSince1970: .nan))
        #expect(try encoder.queryString(for: meeting) == "at=true")
    }

    @Test func `URLQueryEncoder writes a struct without fields as an empty query`() throws {
        struct Empty: Encodable {}
        #expect(try URLQueryEncoder().queryString(for: Empty()) == "")
    }

    @Test func `URLQueryEncoder throws an error for a value nested too deeply`() throws {
        indirect enum Chain: Encodable {
            case end
            case link(Chain)
            enum CodingKeys: CodingKey { case next }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                if case .link(let next) = self { try container.encode(next, forKey: .next) }
            }
        }
        var chain = Chain.end
        for _ in 0..<2000 { chain = .link(chain) }
        #expect(throws: EncodingError.self) { try URLQueryEncoder().queryString(for: chain) }
    }

    @Test func `URLQueryEncoder writes nested containers and super encoders like URLEncoding`()
        throws
    {
        struct Own: Encodable {
            enum CodingKeys: CodingKey { case range, list, none, flags }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                var range = container.nestedContainer(
                    keyedBy: Search.Range.CodingKeys.self, forKey: .range)
                try range.encode(1, forKey: .low)
                try range.encode(9, forKey: .high)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                var inner = list.nestedUnkeyedContainer()
                try inner.encode("a")
                var field = list.nestedContainer(keyedBy: Search.Range.CodingKeys.self)
                try field.encode(2, forKey: .low)
                try Value(flag: true).encode(to: list.superEncoder())
                try container.encodeNil(forKey: .none)
                try [true].encode(to: container.superEncoder(forKey: .flags))
                try Value(flag: false).encode(to: container.superEncoder())
            }
        }
        struct Value: Encodable { var flag: Bool }
        // `URLEncoding` writes a dictionary with the same fields in this format.
        #expect(
            try URLQueryEncoder().queryString(for: Own()).removingPercentEncoding
                == "range[low]=1&range[high]=9&list[][]=a&list[][low]=2&list[][flag]=1"
                + "&flags[]=1&flag=0")
    }
}
