import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that respond, disconnect or fail while a request's body is being sent.
@Suite(.timeLimit(.minutes(3))) struct UploadFaultTests {
    private func send(
        _ method: String = "POST", to server: RawServer, body: RequestBody,
        timeout: TimeInterval = 120
    ) async throws -> TransportResponse {
        var request = URLRequest(url: server.url)
        request.timeoutInterval = timeout
        request.httpMethod = method
        return try await CurlTransport().send(TransportRequest(request, body: body))
    }

    private func serve(
        _ answer: String, then end: @escaping @Sendable (RawServer.Connection) -> Void
    ) throws -> RawServer {
        try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(answer)
            end(connection)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig",
        "HTTP/1.1 413 Content Too Large\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbig\r\n0\r\n\r\n",
    ])
    func `a refusal is returned although the request body is silent`(answer: String) async throws {
        let server = try serve(answer) { $0.waitForClient() }
        defer { server.stop() }
        let response = try await send(to: server, body: .stream(.silent))
        #expect(response.head.statusCode == 413)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\n\r\nall", "HTTP/1.1 500 Broken\r\n\r\nall"])
    func `a response that ends with the connection is returned although the upload is silent`(
        answer: String
    ) async throws {
        let server = try serve(answer) { _ in }
        defer { server.stop() }
        let response = try await send(to: server, body: .stream(.silent))
        #expect(try response.body.bytes() == Data("all".utf8))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n"])
    func `a server that disconnects fails the request although the request body is silent`(
        start: String
    )
        async throws
    {
        let server = try serve(start) { _ in }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send(to: server, body: .stream(.silent))
        }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `a silent request body times out after the response has arrived`()
        async throws
    {
        let server = try serve("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") {
            $0.waitForClient()
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send(to: server, body: .stream(.silent), timeout: 0.5)
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a connection reset during the upload fails as a lost connection`() async throws {
        let server = try RawServer { connection in
            _ = connection.read()
            connection.resetAtEnd()
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send(to: server, body: .data(Data(repeating: 1, count: 32 << 20)))
        }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `a file that grows during its upload is an error`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("grows", Data("four".utf8))
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\nfour")
            if let handle = try? FileHandle(forWritingTo: file) {
                handle.seekToEndOfFile()
                handle.write(Data("more".utf8))
            }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await send(to: server, body: .file(file))
        }
        #expect(error?.code == .requestBodyStreamExhausted)
    }

    @Test func `a body stream with more bytes than announced is an error`() async throws {
        let stream = RequestBodyStream(length: 4) {
            AsyncThrowingStream { continuation in
                for text in ["four", "more"] { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            }
        }
        var source = BodySource(stream) {}
        defer { source.close() }
        try await until {
            var bytes = [UInt8](repeating: 0, count: 16)
            _ = try bytes.withUnsafeMutableBytes { try source.read(into: $0) }
            return source.offset >= 4
        }
        let error = try await #require(throws: URLError.self) {
            // The stream delivers its remaining bytes asynchronously.
            try await until {
                try source.checkEnd()
                return false
            }
        }
        #expect(error.code == .requestBodyStreamExhausted)
    }
}

/// The minimum speed of a transfer whose request body is a stream.
@Suite(.timeLimit(.minutes(3))) struct SilentUploadSpeedTests {

    @Test(arguments: [false, true])
    func `the minimum speed ignores a silent request body and applies after it`(
        isAnswered: Bool
    ) async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "0\r\n\r\n")
            if isAnswered { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
            connection.waitForClient()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.threads = 1
        configuration.minimumSpeed = .init(
            bytesPerSecond: 1000, duration: isAnswered ? 3 : 1)
        let transport = try CurlTransport(configuration: configuration)
        let (pieces, body) = AsyncThrowingStream<Data, any Error>.makeStream()
        body.yield(Data("first".utf8))
        var request = URLRequest.patient(server.url)
        request.httpMethod = "POST"
        let upload = TransportRequest(request, body: .stream(RequestBodyStream { pieces }))
        async let answer = Result.catching { try await transport.send(upload) }
        let loop = try transport.firstLoop()
        try await until {
            try await loop.perform { $0.handles.active.first?.attempt?.paused == .sending }
        }
        // Longer than the time after which other transfers are too slow.
        let slow = try MockServer()
        defer { slow.stop() }
        for _ in 0..<2 {
            let url = try #require(URL(string: "\(slow.url)/drip?bytes=1000&delay=50"))
            let error = await #expect(throws: URLError.self) {
                try await transport.send(TransportRequest(.patient(url)))
            }
            #expect(error?.code == .timedOut)
        }
        #expect(try await loop.perform { $0.handles.active.count } == 1)
        body.finish()
        let result = await answer
        if isAnswered {
            #expect(try result.get().head.statusCode == 200)
        } else {
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .timedOut)
            #expect(error?.localizedDescription.contains("too slow") == true)
        }
    }
}
