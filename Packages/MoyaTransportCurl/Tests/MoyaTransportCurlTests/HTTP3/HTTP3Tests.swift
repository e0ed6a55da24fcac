import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Exchanges that use HTTP/3 only.
@Suite(
    .timeLimit(.minutes(3)),
    .requires(.http3, .caddy, .openssl))
struct HTTP3Tests {
    private func pattern(_ count: Int) -> Data {
        Data((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test func `sequential HTTP/3 requests use one connection`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        for (number, method) in ["GET", "HEAD", "DELETE", "POST"].enumerated() {
            let response = try await transport.send(caddy.request("anything", method))
            #expect(response.head.statusCode == 200)
            #expect(response.head.httpVersion == "HTTP/3")
            #expect(response.head.value(for: "Content-Type") == "application/json")
            #expect(response.metrics.protocolName == "h3")
            #expect(response.metrics.remoteAddress == "127.0.0.1")
            #expect(response.metrics.isReusedConnection == (number > 0))
            #expect((response.metrics.secureConnect != nil) == (number == 0))
        }
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "DELETE", "POST"])
        #expect(server.requests.allSatisfy { $0.value(for: "X-Protocol") == "HTTP/3.0" })
    }

    @Test func `concurrent HTTP/3 requests share one connection`() async throws {
        let crowd = Crowd(of: 32)
        let server = try MockServer { request in
            if request.path == "/crowd" { crowd.join() }
            return .text("x")
        }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        _ = try await transport.send(caddy.request("first"))
        let message = caddy.request("crowd")
        try await withThrowingTaskGroup(of: TransportMetrics.self) { group in
            for _ in 0..<crowd.size { group.addTask { try await transport.send(message).metrics } }
            for try await metrics in group {
                #expect(metrics.protocolName == "h3")
                #expect(metrics.isReusedConnection == true)
            }
        }
    }

    @Test func `more HTTP/3 requests than the server takes at once all succeed`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let message = caddy.request("get")
        try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            for _ in 0..<500 { group.addTask { try await transport.send(message) } }
            for try await response in group {
                #expect(response.head.statusCode == 200)
                #expect(response.metrics.protocolName == "h3")
            }
        }
        #expect(server.requests.count == 500)
    }

    @Test func `HTTP/3 uploads from memory, files and streams arrive whole`() async throws {
        let count = 3_000_001
        let body = pattern(count)
        let server = try MockServer { .text($0.body == body ? "same" : "other") }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let folder = try TemporaryFolder()
        let pieces: @Sendable () -> AsyncStream<Data> = {
            AsyncStream { continuation in
                var (rest, size) = (body[...], 1)
                while !rest.isEmpty {
                    continuation.yield(rest.prefix(size))
                    (rest, size) = (rest.dropFirst(size), size * 3)
                }
                continuation.finish()
            }
        }
        for sent in [
            .data(body), .file(try folder.file("body", body)),
            // Caddy 2.6 takes a body without a length for an empty one.
            .stream(RequestBodyStream(length: Int64(count), pieces)),
        ] as [RequestBody] {
            let response = try await transport.send(
                caddy.request("upload", "PUT", body: sent))
            #expect(try response.text == "same")
            #expect(response.metrics.protocolName == "h3")
            #expect(response.metrics.bytesSent == Int64(count))
        }
    }

    @Test func `HTTP/3 downloads to memory, files and streams arrive whole`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let expected = pattern(3_000_001)
        let file = try TemporaryFolder()
        for destination in [.memory(), .file(file.file("body")), .stream] as [ResponseDestination] {
            let response = try await transport.send(
                caddy.request("bytes/3000001", destination: destination))
            let body =
                switch response.body {
                case .data(let data): data
                case .file(let url): try Data(contentsOf: url)
                case .stream(let stream): try await stream.collect(upTo: 4_000_000)
                }
            #expect(body == expected)
        }
    }

    @Test func `a truncated HTTP/3 response fails as a lost connection`() async throws {
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 500_000)).truncated(after: 300_000)
        }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let error = await #expect(throws: URLError.self) {
            try await transport.send(caddy.request(""))
        }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `after closing an idle HTTP/3 connection the next request opens another connection`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        for _ in 0..<2 {
            let response = try await transport.send(caddy.request("get"))
            #expect(response.metrics.isReusedConnection == false)
            await transport.closeIdleConnections()
        }
    }
}

/// Blocks its callers until all have arrived.
private final class Crowd: Sendable {
    let size: Int
    private let count = Locked(0)
    private let condition = NSCondition()

    init(of size: Int) { self.size = size }

    func join() {
        condition.lock()
        defer { condition.unlock() }
        count.withLock { $0 += 1 }
        condition.broadcast()
        while count.withLock({ $0 < size }) { condition.wait() }
    }
}
