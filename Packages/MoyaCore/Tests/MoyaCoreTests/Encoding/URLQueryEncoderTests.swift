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
            var low: Int
            var high: Int
        }
    }

    @Test func `writes fields in the order of their keys`() throws {
        #expect(
            try URLQueryEncoder().queryString(for: Search())
                == "q=a%20b&page=2&exact=1&tags%5B%5D=x&tags%5B%5D=y&ratio=0.5"
                + "&since=1970-01-01T00%3A00%3A00Z&range%5Blow%5D=1&range%5Bhigh%5D=9")
    }

    @Test func `obeys its strategies`() throws {
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

    @Test func `writes every kind of number`() throws {
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

    @Test func `writes enums, dictionaries and arrays of structs`() throws {
        struct Value: Encodable {
            var order = Order.newest
            var map = ["k": 1]
            var list = [Search.Range(low: 1, high: 2)]
        }
        #expect(
            try URLQueryEncoder().queryString(for: Value())
                == "order=newest&map%5Bk%5D=1&list%5B%5D%5Blow%5D=1&list%5B%5D%5Bhigh%5D=2")
    }

    @Test func `a value without named fields is an error`() {
        #expect(throws: EncodingError.self) { try URLQueryEncoder().queryString(for: [1, 2]) }
        #expect(throws: EncodingError.self) { try URLQueryEncoder().queryString(for: "text") }
    }

    @Test func `a struct without fields is an empty query`() throws {
        struct Empty: Encodable {}
        #expect(try URLQueryEncoder().queryString(for: Empty()) == "")
    }

    @Test func `a value nested too deep is an error`() throws {
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
}
