import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

/// Archives as browsers write them: with custom fields, and without some standard fields.
@Suite struct BrowserArchiveTests {
    private let folder: TemporaryFolder
    private let file: URL

    private static let archive = #"""
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},
        "pages":[{"id":"page_1","title":"https://shop.test/"}],
        "entries":[
          {"_initiator":{"type":"other"},"pageref":"page_1","startedDateTime":"2026-01-02T03:04:05.678Z",
           "time":12.5,
           "request":{"method":"GET","url":"https://shop.test/old?b=2&a=1","httpVersion":"h2",
             "headers":[{"name":":authority","value":"shop.test"}],"queryString":[],"cookies":[],
             "headersSize":-1,"bodySize":0},
           "response":{"status":302,"statusText":"","httpVersion":"h2",
             "headers":[{"name":"location","value":"/new"}],"cookies":[],
             "content":{"size":0,"mimeType":"x-unknown"},"redirectURL":"/new","headersSize":-1,
             "bodySize":0,"_transferSize":100},
           "cache":{},"timings":{"send":0,"wait":1,"receive":2}},
          {"request":{"method":"GET","url":"https://shop.test/new","headers":[]},
           "response":{"status":200,"httpVersion":"h2",
             "headers":[{"name":":status","value":"200"},{"name":"set-cookie","value":"a=1\nb=2"},
               {"name":"content-type","value":"image/gif"}],
             "content":{"size":6,"mimeType":"image/gif","text":"R0lGODlh","encoding":"base64"}}},
          {"request":{"method":"POST","url":"https://shop.test/form","headers":[],
             "postData":{"mimeType":"application/x-www-form-urlencoded",
               "params":[{"name":"user","value":"a b"},{"name":"password","value":"word"}]}},
           "response":{"status":201,"headers":[],"content":{"size":2,"text":"ok"}}},
          {"request":{"method":"GET","url":"https://shop.test/blocked","headers":[]},
           "response":{"status":0,"headers":[],"content":{"size":0},"_error":"net::ERR_FAILED"}},
          {"request":{"method":"GET","url":"https://shop.test/late","headers":[]},
           "response":{"status":0,"headers":[],"content":{"size":0},"_error":"NSURLErrorDomain -1001"}},
          {"request":{"method":"GET","url":"https://shop.test/bare","headers":[]},
           "response":{"status":200,"headers":[],"content":{"size":1234,"mimeType":"text/html"}}},
          {"request":{"method":"GET","url":"https://shop.test/garbled","headers":[]},
           "response":{"status":200,"headers":[],"content":{"size":3,"text":"§","encoding":"base64"}}},
          {}
        ]}}
        """#

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("browser.har")
        try Data(Self.archive.utf8).write(to: file)
    }

    private func send(
        _ method: String = "GET", _ path: String, body: RequestBody = .none,
        options: CassetteTransport.Options = .init()
    ) async throws -> TransportResponse {
        try await CassetteTransport(at: file, mode: .none, options: options).send(
            .test(
                method, "https://shop.test/\(path)",
                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: body))
    }

    @Test func `a browser's archive plays its redirects, bytes and HTTP/2 fields`() async throws {
        let response = try await send("GET", "old?a=1&b=2")
        #expect(response.head.statusCode == 200)
        #expect(response.head.url.absoluteString == "https://shop.test/new")
        #expect(response.metrics.redirectCount == 1)
        #expect(response.head.values(for: "set-cookie") == ["a=1", "b=2"])
        #expect(response.head.value(for: ":status") == nil)
        #expect(response.text == "GIF89a")
    }

    @Test func `a form recorded in parts is compared as a whole body`() async throws {
        var options = CassetteTransport.Options()
        options.matchers = [.method, .url, .body]
        let response = try await send(
            "POST", "form", body: .data(Data("user=a%20b&password=other".utf8)), options: options)
        #expect(response.head.statusCode == 201)
        let error = await #expect(throws: CassetteError.self) {
            try await send(
                "POST", "form", body: .data(Data("user=c".utf8)), options: options)
        }
        #expect(error?.description.contains("the body is 6 bytes") == true)
    }

    @Test func `a recorded failure is played as a URLError`() async {
        await #expect(throws: URLError(.networkConnectionLost)) { try await send("GET", "blocked") }
        await #expect(throws: URLError(.timedOut)) { try await send("GET", "late") }
    }

    @Test func `a body missing from the archive is an error that names the missing body`() async {
        let error = await #expect(throws: CassetteError.self) { try await send("GET", "bare") }
        #expect(
            error?.description
                == "GET https://shop.test/bare cannot be played: the archive has none of its 1234 "
                + "bytes of body. Export it with content.")
        await #expect(throws: CassetteError.self) { try await send("GET", "garbled") }
    }

    @Test func `recording new episodes keeps everything else in the archive`() async throws {
        let network = StubTransport(.text("fresh"))
        let cassette = try network.cassette(at: file, mode: .newEpisodes)
        _ = try await cassette.send(.test("GET", "https://shop.test/fresh"))
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let log = try #require((json as? [String: Any])?["log"] as? [String: Any])
        #expect((log["pages"] as? [[String: Any]])?.first?["id"] as? String == "page_1")
        #expect((log["creator"] as? [String: String])?["name"] == "WebInspector")
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(entries.count == 9)
        #expect(entries.first?["pageref"] as? String == "page_1")
        #expect(entries.first?["time"] as? Double == 12.5)
    }
}
