import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@Suite struct ResponseMakingTests {
    private let data = Data("0123456789".utf8)

    private func text(_ response: MockResponse) -> String? {
        guard case .data(let data) = response.body else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private func field(_ name: String, _ response: MockResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test func `a JSON literal with values of several types is the body of a response`() {
        let response = MockResponse.json(["id": 5, "t": "x", "tags": [1, .null]], status: 201)
        #expect(text(response) == #"{"id":5,"t":"x","tags":[1,null]}"#)
        #expect(field("Content-Type", response) == "application/json")
        #expect(response.status == 201)
    }

    @Test(arguments: [
        ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
        ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=5-99", 206, "56789", "bytes 5-9/10"),
        ("bytes=0-0,5-5", 206, "0", "bytes 0-0/10"), ("bytes=10-", 416, "", "bytes */10"),
        ("bytes=0-9223372036854775807", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=4-2", 200, "0123456789", nil), ("lines=1-2", 200, "0123456789", nil),
        ("bytes=", 200, "0123456789", nil),
    ])
    func `a range request gets its range, or the whole body where If-Range differs`(
        range: String, status: Int, body: String, field: String?
    ) async throws {
        let data = data
        let server = try MockServer { .ranged(data, for: $0, etag: "\"v1\"") }
        defer { server.stop() }
        var request = URLRequest(url: server.url, timeoutInterval: 120)
        request.setValue(range, forHTTPHeaderField: "Range")
        let response = try await CurlTransport().send(TransportRequest(request))
        #expect(response.head.statusCode == status)
        #expect(response.body.text == body)
        #expect(response.head.value(for: "Content-Range") == field)
        #expect(response.head.value(for: "ETag") == "\"v1\"")

        request.setValue("\"v0\"", forHTTPHeaderField: "If-Range")
        let changed = try await CurlTransport().send(TransportRequest(request))
        #expect(changed.head.statusCode == 200)
    }

    @Test
    func `informational responses, trailers, compression and throttling work over plain sockets`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(
            MockResponse.text("hello").preceded(by: 103).addingTrailer("X-Sum", "1"),
            MockResponse.text("compressed").compressed(.deflate),
            MockResponse.text("slow").throttled(to: 100))
        let client = CurlTransport()
        let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: 120))
        let first = try await client.send(request)
        #expect(first.body.text == "hello")
        #expect(first.trailers == [HeaderField(name: "X-Sum", value: "1")])
        #expect(try await client.send(request).body.text == "compressed")
        #expect(try await client.send(request).body.text == "slow")
    }

    @Test func `enqueued responses come before routes, and routes before the handler`() async throws
    {
        let server = try MockServer { _ in .text("handler") }
        defer { server.stop() }
        server.on("GET", "/users/{id}") { .text($0.parameters["id"] ?? "none") }
        server.on(nil, "/users/me") { _ in .text("me") }
        let client = CurlTransport()
        func send(_ path: String, _ method: String = "GET") async throws -> String {
            var request = URLRequest(
                url: server.url.appendingPathComponent(path), timeoutInterval: 120)
            request.httpMethod = method
            return try await client.send(TransportRequest(request)).body.text
        }
        #expect(try await send("users/a b") == "a b")
        #expect(try await send("users/me") == "me")
        #expect(try await send("users/7", "DELETE") == "handler")
        #expect(try await send("users/7/posts") == "handler")
        server.enqueue(.text("first"), .text("second"))
        #expect(server.enqueuedCount == 2)
        #expect(try await send("users/me") == "first")
        #expect(try await send("users/me") == "second")
        #expect(try await send("users/me") == "me")
    }
}

extension ResponseBody {
    fileprivate var text: String {
        if case .data(let data) = self { String(decoding: data, as: UTF8.self) } else { "" }
    }
}
