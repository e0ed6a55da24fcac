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

    @Test func `a request is played only if all matchers match`() async throws {
        let other = TransportRequest.test("POST", "https://a.test/x?p=1&q=2")
        #expect(try await plays(other, recordedFor: Self.request, by: .url))
        #expect(try await !plays(other, recordedFor: Self.request, by: .url, .method))
    }
}
