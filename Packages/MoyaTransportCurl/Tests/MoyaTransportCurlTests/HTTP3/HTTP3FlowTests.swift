import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Paused and cancelled exchanges on a shared HTTP/3 connection.
@Suite(
    .timeLimit(.minutes(3)),
    .requires(.http3, .caddy, .openssl))
struct HTTP3FlowTests {
    /// Sends another request. Returns whether it used the existing connection.
    private func sharesConnection(_ transport: CurlTransport, _ caddy: Caddy) async throws -> Bool {
        let response = try await transport.send(caddy.request("other"))
        #expect(try response.text == "other")
        return response.metrics.isReusedConnection == true
    }

    @Test func `a slow reader over HTTP/3 holds its stream back without delaying other requests`()
        async throws
    {
        let pieces = Counter()
        let server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            guard head.hasPrefix("GET /large") else {
                return connection.answer("200 OK")
            }
            LargeAnswer.write(to: connection, counting: pieces)
        }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let response = try await transport.send(caddy.request("large", destination: .stream))
        guard case .stream(let stream) = response.body else { throw NoDataError() }
        let sent = try await waitUntilStable {
            let isShared = try await sharesConnection(transport, caddy)
            #expect(isShared)
            return pieces.count
        }
        // The buffers between the server and the reader, and a margin.
        #expect(sent << 16 < 32 << 20)
        var count = 0
        for try await chunk in stream { count += chunk.count }
        #expect(count == LargeAnswer.size)
        #expect(stream.metrics?.protocolName == "h3")
    }

    @Test(arguments: [ResponseDestination.memory(), .stream])
    func `cancelling an HTTP/3 response ends that request alone`(destination: ResponseDestination)
        async throws
    {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            guard head.hasPrefix("GET /half") else {
                begin.yield()
                gate.wait()
                return connection.answer("200 OK")
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            begin.yield()
            connection.waitForClient()
            end.yield()
        }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let message = caddy.request("half", destination: destination)
        let task = Task { () throws -> Void in
            let response = try await transport.send(message)
            if case .stream(let stream) = response.body { for try await _ in stream {} }
        }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        async let isShared = sharesConnection(transport, caddy)
        await beginnings.next()
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        // Caddy forwards the cancel to the server.
        try await waitForEvent(in: ends)
        gate.signal()
        #expect(try await isShared)
    }

    @Test(arguments: [true, false])
    func `an HTTP/3 upload that ends early reaches the server without delaying other requests`(
        isCancelled: Bool
    ) async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            let head = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            guard head.hasPrefix("PUT") else {
                return connection.answer("200 OK")
            }
            begin.yield()
            connection.waitForClient()
            end.yield()
        }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        let (chunks, chunk) = AsyncThrowingStream.makeStream(of: Data.self)
        let whole = 64 << 20
        chunk.yield(Data(repeating: 1, count: isCancelled ? whole : 1 << 20))
        let body = RequestBodyStream(length: Int64(whole)) { chunks }
        let message = caddy.request("put", "PUT", body: .stream(body))
        let task = Task { try await transport.send(message) }
        try await waitForEvent(in: begun)
        if isCancelled {
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        } else {
            chunk.finish(throwing: NoDataError())
            await #expect(throws: NoDataError.self) { try await task.value }
        }
        try await waitForEvent(in: ends)
        _ = try await sharesConnection(transport, caddy)
    }

    @Test func `an HTTP/3 response sent before the upload ends is returned`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.answer("413 Too much")
        }
        defer { server.stop() }
        let caddy = try await Caddy(before: server.port)
        let transport = try caddy.transport()
        for body in [.data(Data(repeating: 1, count: 64 << 20)), .stream(.silent)] as [RequestBody]
        {
            let response = try await transport.send(caddy.request("put", "PUT", body: body))
            #expect(response.head.statusCode == 413)
            #expect(try response.text == "other")
        }
    }
}

extension RawServer.Connection {
    /// Sends the only response on this connection.
    fileprivate func answer(_ status: String) {
        write("HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 5\r\n\r\nother")
        halfClose()
    }
}
