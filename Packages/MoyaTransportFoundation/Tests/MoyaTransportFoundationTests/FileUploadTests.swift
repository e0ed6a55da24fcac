import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct FileUploadTests {
    private static func file(of size: Int) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "upload-\(UUID().uuidString)")
        try noise(size).write(to: url)
        return url
    }

    private static func post(_ file: URL, to server: MockServer) -> TransportRequest {
        var request = URLRequest(url: server.url.appendingPathComponent("post"))
        request.httpMethod = "POST"
        return TransportRequest(request, body: .file(file))
    }

    @Test(arguments: [0, 1, 16_384, 300_001])
    func `a file is uploaded with its length and without an invented Content-Type`(size: Int)
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let file = try Self.file(of: size)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = FoundationTransport()
        for _ in 0..<2 { _ = try await transport.send(Self.post(file, to: server)) }
        let sent = try #require(server.requests.last)
        #expect(sent.body == (try Data(contentsOf: file)))
        #expect(sent.value(for: "Content-Length") == "\(size)")
        #expect(sent.value(for: "Transfer-Encoding") == nil)
        #expect(sent.value(for: "Content-Type") == nil)
        #expect(server.connectionCount == 1)
    }

    @Test func `the caller's Content-Type is sent with a file`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let file = try Self.file(of: 10)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = Self.post(file, to: server)
        request.urlRequest.setValue("image/png", forHTTPHeaderField: "Content-Type")
        _ = try await FoundationTransport().send(request)
        #expect(server.requests.last?.value(for: "Content-Type") == "image/png")
    }

    @Test(arguments: [0, 300_002])
    func `a file that is truncated or grows during its upload is an error`(newSize: off_t)
        async throws
    {
        let file = try Self.file(of: 300_001)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try MockServer { _ in
            truncate(file.path, newSize)
            return .text("taken")
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(Self.post(file, to: server))
        }
        #expect(error?.code == .requestBodyStreamExhausted)
    }

    @Test(arguments: [200, 299, 300, 404])
    func `a file that is truncated during its upload is an error only if the response is a success`(
        status: Int
    ) async throws {
        let file = try Self.file(of: 1000)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try MockServer { _ in
            truncate(file.path, 10)
            return .text("taken", status: status)
        }
        defer { server.stop() }
        let request = Self.post(file, to: server)
        guard status < 300 else {
            let response = try await FoundationTransport().send(request)
            return #expect(response.head.statusCode == status)
        }
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(request)
        }
        #expect(error?.code == .requestBodyStreamExhausted)
    }

    // In a child process, because a failure ends the process.
    @Test func `uploads cancelled at any moment do not end the process`() async {
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            let file = try Self.file(of: 3_000_000)
            defer { try? FileManager.default.removeItem(at: file) }
            let request = Self.post(file, to: server)
            let transport = FoundationTransport()
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        for id in 0..<10 {
                            let task = Task { _ = try await transport.send(request) }
                            for _ in 0..<(id * 18 + worker) { await Task.yield() }
                            task.cancel()
                            _ = await task.result
                        }
                    }
                }
            }
            server.stop()
        }
    }

    // Only a status from 200 to 299 means that the server has received the whole body.
    @Test(arguments: [(true, 413), (false, 413), (true, 300)])
    func `bytes that the server refuses early do not count as sent`(isFile: Bool, status: Int)
        async throws
    {
        let isOver = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(
                "HTTP/1.1 \(status) No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            isOver.wait()
        }
        defer { server.stop() }
        defer { isOver.signal() }
        // Larger than the buffers of any connection.
        let whole = Data(count: 32 << 20)
        let file = try Self.file(of: 0)
        defer { try? FileManager.default.removeItem(at: file) }
        try whole.write(to: file)
        let last = Locked<TransferProgress?>(nil)
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        let response = try await FoundationTransport().send(
            TransportRequest(
                request, body: isFile ? .file(file) : .data(whole),
                progress: { progress in last.withLock { $0 = progress } }))
        #expect(response.head.statusCode == status)
        #expect(response.metrics.bytesSent < Int64(whole.count))
        #expect(last.withLock { $0?.bytesSent ?? 0 } < Int64(whole.count))
    }

    // libcurl polls the socket, and then writes to it. A reset in between fails the write, and the
    // response is not read.
    @Test(arguments: [true, false])
    func `A response to an upload that the server does not read is the result or a lost connection`(
        isFile: Bool
    ) async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let file = try Self.file(of: 20 << 20)
        defer { try? FileManager.default.removeItem(at: file) }
        let body = isFile ? RequestBody.file(file) : .data(try Data(contentsOf: file))
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        var responseCount = 0
        for _ in 0..<10 {
            do {
                let response = try await FoundationTransport().send(
                    TransportRequest(request, body: body))
                #expect(response.head.statusCode == 413)
                responseCount += 1
            } catch let error as URLError {
                #expect(error.code == .networkConnectionLost)
            }
        }
        #expect(responseCount > 0)
    }
}
