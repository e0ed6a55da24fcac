import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaTestSupport
import Testing

private let directives: [(values: [String], seconds: TimeInterval?)] = [
    (["max-age=5"], 5), (["MAX-AGE=5"], 5), (["max-age=\"5\""], 5), ([" , max-age=5,"], 5),
    (["public", "max-age=5"], 5), (["max-age=5, max-age=6"], 5), (["a=\"x, max-age=9\""], nil),
    (["max-age=x"], 0), (["max-age"], 0), (["max-age=-1"], 0), (["max-age=\"5"], 5),
    (["max-age=99999999999999999999"], 2_147_483_647), ([""], nil), ([], nil),
    (["a=\"\\\",\", max-age=7"], 7), (["=,=;,\"\"=\"\\"], nil),
]

/// Parsing of the header fields that a cache uses.
@Suite struct CacheFieldTests {
    @Test(arguments: directives)
    func `Cache-Control max-age is parsed, quoted and malformed values included`(
        values: [String], seconds: TimeInterval?
    ) {
        #expect(CacheControl(values).seconds("max-age") == seconds)
    }

    @Test(arguments: [
        ("Moya; ;hit", false), ("Moya;=", false), ("Moya;", false), ("Moya;=;stored", true),
        (";", nil),
        ("", nil), (",", nil),
    ])
    func `a malformed Cache-Status of a server is parsed as far as possible`(
        value: String, isStored: Bool?
    ) throws {
        let response = try TransportResponse.test(.test(), 200, ["Cache-Status": value])
        #expect(response.cacheStatus?.isStored == isStored)
    }

    @Test func `fields named in Connection are hop-by-hop fields, regardless of their case`() {
        let fields = [
            HeaderField(name: "Connection", value: "close, X-Trace"),
            HeaderField(name: "connection", value: "X-Token"),
        ]
        let names = HopByHop.names(in: fields)
        #expect(names.isSuperset(of: ["close", "x-trace", "x-token", "keep-alive"]))
        #expect(!names.contains("etag"))
    }
}
