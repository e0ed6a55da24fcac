import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite struct CassetteMatcherTests {
    /// Returns whether the episode recorded for `first` is played for `second`.
    private func plays(
        _ second: TransportRequest, recordedFor first: TransportRequest,
        by matchers: CassetteMatcher...
    ) async throws -> Bool {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        var options = CassetteTransport.Options()
        options.matchers = matchers
        let network = StubTransport(.response(200), .response(299))
        _ = try await network.cassette(at: file, options: options).send(first)
        let answer = try await network.cassette(at: file, mode: .newEpisodes, options: options)
            .send(second)
        return answer.head.statusCode == 200
    }

    private static let request = TransportRequest.test(
        "GET", "https://a.test/x?p=1&q=2", headers: ["Accept": "a/b"],
        body: .data(Data(#"{"a":1,"b":[2]}"#.utf8)))

    static let same: [(CassetteMatcher, TransportRequest)] = [
        (.method, .test("GET", "https://b.test/")),
        (.url, .test("POST", "HTTPS://A.test:443/x?q=2&p=1")),
        (.host, .test("PUT", "http://A.TEST/other")),
        (.path, .test("GET", "http://b.test/x")),
        (.query, .test("GET", "https://b.test/y?q=2&p=1")),
        (.body, .test(body: .data(Data(#"{ "b": [2.0], "a": 1 }"#.utf8)))),
        (.header("accept"), .test(headers: ["ACCEPT": "a/b"])),
        (CassetteMatcher("nothing") { _, _ in true }, .test()),
    ]

    @Test(arguments: same)
    func `a cassette matcher matches an equivalent request`(
        matcher: CassetteMatcher, other: TransportRequest
    ) async throws {
        #expect(try await plays(other, recordedFor: Self.request, by: matcher))
    }

    @Test func `a cassette matcher takes port 80 for the default of http`() async throws {
        let bare = TransportRequest.test("GET", "http://a.test/x")
        let other = TransportRequest.test("GET", "http://a.test:80/x")
        #expect(try await plays(other, recordedFor: bare, by: .url))
    }

    static let different: [(CassetteMatcher, TransportRequest)] = [
        (.method, .test("POST", "https://a.test/x?p=1&q=2")),
        (.url, .test("GET", "https://a.test/x?p=1")),
        (.url, .test("GET", "http://a.test/x?p=1&q=2")),
        (.url, .test("GET", "https://a.test:444/x?p=1&q=2")),
        (.host, .test("GET", "https://b.test/x?p=1&q=2")),
        (.path, .test("GET", "https://a.test/x/")),
        (.query, .test("GET", "https://a.test/x?p=1&q=2&q=2")),
        (.body, .test(body: .data(Data(#"{"a":1,"b":[]}"#.utf8)))),
        (.body, .test()),
        (.header("accept"), .test()),
        (CassetteMatcher("everything") { $0.url == $1.url }, .test()),
    ]

    @Test(arguments: different)
    func `a cassette matcher tells a different request apart`(
        matcher: CassetteMatcher, other: TransportRequest
    ) async throws {
        #expect(try await !plays(other, recordedFor: Self.request, by: matcher))
    }

    /// Binary property lists of `{"a": value, "b": 2}`, with the names in either order. The format
    /// is that of CFBinaryPList.c.
    private static func propertyList(_ value: UInt8, isSorted: Bool) -> Data {
        let (a, b): ([UInt8], [UInt8]) = ([0x51, 0x61], [0x51, 0x62])
        let (one, two): ([UInt8], [UInt8]) = ([0x10, value], [0x10, 2])
        var bytes = Array("bplist00".utf8)
        bytes += [0xD2, 1, 2, 3, 4]
        bytes += (isSorted ? [a, b, one, two] : [b, a, two, one]).joined()
        // The offsets of the objects, and the trailer.
        bytes += [8, 13, 15, 17, 19] as [UInt8]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 5] as [UInt8]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 21] as [UInt8]
        return Data(bytes)
    }

    @Test func `property lists are compared by value if the request's coders decode them`()
        async throws
    {
        func request(_ body: Data, _ coders: Coders) -> TransportRequest {
            var request = TransportRequest.test(
                "POST", "https://a.test/", headers: ["Content-Type": "application/x-plist"],
                body: .data(body))
            request.context = RequestContext(coders: coders)
            return request
        }
        let recorded = Self.propertyList(1, isSorted: true)
        let (same, other) = (
            Self.propertyList(1, isSorted: false), Self.propertyList(3, isSorted: false)
        )
        #expect(
            try PropertyListDecoder().decode([String: Int].self, from: recorded)
                == PropertyListDecoder().decode([String: Int].self, from: same))
        let coders = Coders.json.adding("application/x-plist", decoder: PropertyListDecoder())
        #expect(
            try await plays(
                request(same, coders), recordedFor: request(recorded, coders), by: .body))
        #expect(
            try await !plays(
                request(other, coders), recordedFor: request(recorded, coders), by: .body))
        #expect(
            try await !plays(request(same, .json), recordedFor: request(recorded, .json), by: .body)
        )
    }

    @Test func `a request is played only if all matchers match`() async throws {
        let other = TransportRequest.test("POST", "https://a.test/x?p=1&q=2")
        #expect(try await plays(other, recordedFor: Self.request, by: .url))
        #expect(try await !plays(other, recordedFor: Self.request, by: .url, .method))
    }
}
