import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let streamCases: [Case] = requestStreamCases + responseStreamCases

    private static let requestStreamCases: [Case] = [
        Case("a streamed request body is sent with its announced length") { transport in
            try await uploading(pieces(of: 3_000_001, length: 3_000_001), through: transport) {
                sent in try expect(sent.value(for: "Content-Length"), "3000001", "Content-Length")
            }
        },
        Case("a streamed request body of unknown length arrives whole") { transport in
            try await uploading(pieces(of: 300_001, length: nil), through: transport) { _ in }
        },
        Case("a streamed request body without chunks is an empty body") { transport in
            try await uploading(pieces(of: 0, length: nil), through: transport) { _ in }
        },
        Case("an error of a streamed request body fails the request before it is complete") {
            transport, server in
            struct Broken: Error {}
            let body = RequestBodyStream {
                AsyncThrowingStream<Data, any Error> { continuation in
                    continuation.yield(Data("half".utf8))
                    continuation.finish(throwing: Broken())
                }
            }
            do {
                _ = try await transport.send(to: server, "PUT", "/anything", body: .stream(body))
            } catch is Broken {
                return try expect(server.requests.count, 0, "the number of whole requests")
            }
            throw Failure("the body's own error", "a response")
        },
        Case("a streamed request body shorter or longer than announced is an error") { transport in
            for length in [Int64(99), 101] {
                try await MockServer.serving { server in
                    try await expectError(.requestBodyStreamExhausted) {
                        let body = pieces(of: 100, length: length)
                        return try await transport.send(
                            to: server, "PUT", "/anything", body: .stream(body))
                    }
                }
            }
        },
        Case("a replayable request body is sent again after a redirect") { request in
            request.path == "/"
                ? .redirect(to: "/next", status: 307) : .text("\(request.bodyLength)")
        } whenSent: { transport, server in
            let body = RequestBody.stream(pieces(of: 100_000, length: 100_000))
            let response = try await transport.send(to: server, "PUT", "/", body: body)
            try expect(response.text(), "100000", "the length at the end")
        },
        Case("a request body that is not replayable fails at a redirect that needs it") { _ in
            .redirect(to: "/next", status: 307)
        } whenSent: { transport, server in
            try await expectError(.requestBodyStreamExhausted) {
                let once = RequestBodyStream(
                    length: 3,
                    once: AsyncStream<Data> { continuation in
                        continuation.yield(Data("abc".utf8))
                        continuation.finish()
                    })
                return try await transport.send(to: server, "PUT", "/", body: .stream(once))
            }
        },
    ]

    private static let responseStreamCases: [Case] = [
        Case("a streamed response is returned before its body ends") { _ in
            MockResponse(body: .data(pattern(100))).truncated(after: 10, then: .stall)
        } whenSent: { transport, server in
            let response = try await transport.send(to: server, "GET", "/", destination: .stream)
            try expect(response.head.statusCode, 200, "the status")
            var received = Data()
            for try await chunk in try response.stream() {
                received += chunk
                if received.count >= 10 { break }
            }
            try expect(received, pattern(10), "the bytes before the stall")
            // The reader stopped early, so the transport has to close the connection.
            try await server.waitUntilDisconnected()
        },
        Case("a streamed response body arrives whole") { transport, server in
            let response = try await transport.send(
                to: server, "GET", "/bytes/3000001", destination: .stream)
            try expect(
                try await response.stream().collect(upTo: 4_000_000) == pattern(3_000_001),
                "the same bytes")
        },
        Case("an empty body and the body of an error status can be streamed") { request in
            request.path == "/empty" ? MockResponse(status: 204) : .text("not here", status: 404)
        } whenSent: { transport, server in
            for (path, status, body) in [("/empty", 204, ""), ("/missing", 404, "not here")] {
                let response = try await transport.send(
                    to: server, "GET", path, destination: .stream)
                try expect(response.head.statusCode, status, "the status")
                let data = try await response.stream().collect(upTo: 100)
                try expect(data, Data(body.utf8), "the body")
            }
        },
        Case("a streamed response that breaks off throws an error") { _ in
            MockResponse(body: .pattern(byteCount: 500_000)).truncated(after: 300_000)
        } whenSent: { transport, server in
            try await expectError(.networkConnectionLost) {
                let response = try await transport.send(
                    to: server, "GET", "/", destination: .stream)
                _ = try await response.stream().collect(upTo: 1_000_000)
                return response
            }
        },
        Case("a streamed response follows redirects") { transport, server in
            let response = try await transport.send(
                to: server, "GET", "/redirect/2", destination: .stream)
            try expect(response.head.url.path, "/get", "the final path")
            _ = try await response.stream().collect(upTo: 100_000)
        },
        Case("cancelling the task that reads a stream ends the exchange") { _ in
            MockResponse(body: .data(pattern(100))).truncated(after: 10, then: .stall)
        } whenSent: { transport, server in
            let request = try server.request("GET", "/", destination: .stream)
            let (began, start) = AsyncStream<Void>.makeStream()
            let reading = Task {
                for try await _ in try await transport.send(request).stream() { start.finish() }
            }
            for await _ in began {}
            reading.cancel()
            try await expectCancelled { try await reading.value }
            try await server.waitUntilDisconnected()
        },
        Case("releasing a stream ends the exchange") { _ in
            MockResponse(body: .data(pattern(100))).truncated(after: 10, then: .stall)
        } whenSent: { transport, server in
            _ = try await transport.send(to: server, "GET", "/", destination: .stream)
            try await server.waitUntilDisconnected()
        },
    ]
}

/// A stream of `count` bytes, in pieces of increasing size.
private func pieces(of count: Int, length: Int64?) -> RequestBodyStream {
    RequestBodyStream(length: length) {
        AsyncStream<Data> { continuation in
            let whole = pattern(count)
            var (start, size) = (0, 1)
            while start < count {
                let end = min(count, start + size)
                continuation.yield(whole[start..<end])
                (start, size) = (end, size * 3)
            }
            continuation.finish()
        }
    }
}

/// Uploads `body` and checks that it arrives unchanged. Passes the received request to `look`.
private func uploading(
    _ body: RequestBodyStream, through transport: any Transport,
    _ look: (MockRequest) throws -> Void
) async throws {
    try await MockServer.serving { request in
        .text(request.body == pattern(request.bodyLength) ? "same" : "other")
    } _: { server in
        let response = try await transport.send(to: server, "PUT", "/", body: .stream(body))
        try expect(response.text(), "same", "the answer")
        guard let sent = server.requests.first else {
            throw TransportConformance.Failure("a request", "none")
        }
        if let length = body.length { try expect(sent.bodyLength, Int(length), "the length") }
        try look(sent)
    }
}

private func expectCancelled(_ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as URLError where error.code == .cancelled { return }
    throw TransportConformance.Failure("URLError cancelled", "an end")
}

extension TransportResponse {
    /// The body as a stream. A transport may also return it in memory.
    func stream() throws -> ResponseBodyStream {
        switch body {
        case .data(let data): return ResponseBodyStream(data)
        case .stream(let stream): return stream
        case .file: throw TransportConformance.Failure("the body as a stream", body)
        }
    }
}
