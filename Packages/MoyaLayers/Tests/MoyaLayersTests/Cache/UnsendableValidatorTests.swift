import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaLayers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Validators that cannot be sent in a conditional request (RFC 9110, sections 8.8.2, 8.8.3, 13.1.2
/// and 13.1.3).
@Suite struct UnsendableValidatorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A new store on the same folder, like that of a later process.
    private var store: DiskCacheStore { DiskCacheStore(folder: folder.url) }

    /// A server that responds with these fields, and with 304 if `If-None-Match` is `*` or its
    /// entity tag.
    private func server(_ fields: [HeaderField]) throws -> MockServer {
        let count = Locked(0)
        return try MockServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let tag = fields.first { $0.name == "ETag" }?.value
            if let condition = request.value(for: "If-None-Match"), [tag, "*"].contains(condition) {
                return MockResponse(status: 304, headers: fields, body: .none)
            }
            var response = MockResponse.text("\(number)")
            response.headers += fields
            return response
        }
    }

    /// Sends the request twice, with a new store each time, and returns the second body.
    private func askTwice(_ server: MockServer) async throws -> String {
        let address = server.url.absoluteString
        _ = try await CurlTransport().caching(in: store).send(.test("GET", address))
        return try await CurlTransport().caching(in: store).send(.test("GET", address)).text
    }

    @Test(arguments: [
        "\"a\u{1}b\"", "\"a\u{7F}b\"", "*", "W/*", "\"a\", \"b\"", "a", "\"a", "a\"", "\"a\"b\"",
        "\"a b\"", "w/\"a\"", "\"", "W/", "\"" + String(repeating: "a", count: 20_000) + "\"",
    ])
    func `a stale response with an invalid entity tag is fetched unconditionally`(
        tag: String
    ) async throws {
        let server = try server([
            HeaderField(name: "Cache-Control", value: "max-age=0"),
            HeaderField(name: "ETag", value: tag),
        ])
        defer { server.stop() }
        #expect(try await askTwice(server) == "2")
        #expect(server.requests.map { $0.value(for: "If-None-Match") } == [nil, nil])
    }

    @Test(arguments: [
        "\u{1}", "\u{1}, 06 Nov 1994 08:49:37 GMT", "yesterday", "784111777", "*",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func `a stale response with an invalid Last-Modified is fetched unconditionally`(
        date: String
    ) async throws {
        let server = try server([
            HeaderField(name: "Cache-Control", value: "max-age=0"),
            HeaderField(name: "Last-Modified", value: date),
        ])
        defer { server.stop() }
        #expect(try await askTwice(server) == "2")
        #expect(server.requests.map { $0.value(for: "If-Modified-Since") } == [nil, nil])
    }

    @Test func `a stale response with an invalid entity tag is validated by Last-Modified`()
        async throws
    {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try server([
            HeaderField(name: "Cache-Control", value: "max-age=0"),
            HeaderField(name: "ETag", value: "\"a\u{1}b\""),
            HeaderField(name: "Last-Modified", value: date),
        ])
        defer { server.stop() }
        #expect(try await askTwice(server) == "2")
        #expect(server.requests.map { $0.value(for: "If-None-Match") } == [nil, nil])
        #expect(server.requests.map { $0.value(for: "If-Modified-Since") } == [nil, date])
    }

    @Test func `a stored response with an injected header in its entity tag is fetched again`()
        async throws
    {
        let server = try server([])
        defer { server.stop() }
        let request = TransportRequest.test("GET", server.url.absoluteString)
        let stored = StoredResponse(
            statusCode: 200, url: server.url, httpVersion: "HTTP/1.1",
            fields: [
                HeaderField(name: "Cache-Control", value: "max-age=0"),
                HeaderField(name: "ETag", value: "\"a\r\nInjected: 1\""),
                HeaderField(name: "Last-Modified", value: "\u{0}"),
            ],
            body: Data("old".utf8), requestTime: Date(), responseTime: Date(),
            selectors: CacheRules.selectors(for: [], of: request))
        await store.update(CacheRules.key(of: server.url)) { $0 = [stored] }
        let response = try await CurlTransport().caching(in: store).send(request)
        #expect(response.text == "1")
        #expect(response.cacheStatus?.forward == .stale)
    }
}
