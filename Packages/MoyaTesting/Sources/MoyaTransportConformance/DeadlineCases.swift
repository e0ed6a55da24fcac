import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let deadlineCases: [Case] = [
        Case("a request whose deadline has passed is not sent") { transport, server in
            try await expectTimeout {
                try await transport.send(server.request("GET", "/get", in: 0))
            }
            try expect(server.requests.count, 0, "the number of requests")
        },
        Case("a request that is over before its deadline gets its response") { transport, server in
            let response = try await transport.send(server.request("GET", "/get", in: 600))
            try expect(response.head.statusCode, 200, "the status")
        },
        Case("a deadline ends a request without a response") { transport, server in
            try await expectTimeout {
                try await transport.send(server.request("GET", "/stall", in: 0.5))
            }
            try await server.waitUntilDisconnected()
        },
        fileCase("a deadline ends a download and leaves no file") { _ in
            MockResponse(body: .pattern(byteCount: 1 << 20)).truncated(after: 1000, then: .stall)
        } whenSent: { transport, server, file in
            try await expectTimeout {
                try await transport.send(
                    server.request("GET", "/", destination: .file(file), in: 0.5))
            }
            try expectNoFile(file)
        },
        Case("a deadline ends a streamed body") { _ in
            MockResponse(body: .data(pattern(100))).truncated(after: 10, then: .stall)
        } whenSent: { transport, server in
            try await expectTimeout {
                let response = try await transport.send(
                    server.request("GET", "/", destination: .stream, in: 0.5))
                _ = try await response.stream().collect(upTo: 1000)
                return response
            }
            try await server.waitUntilDisconnected()
        },
        Case("a deadline ends an upload whose body does not end") { transport, server in
            let endless = RequestBodyStream(once: AsyncStream<Data> { _ in })
            try await expectTimeout {
                try await transport.send(
                    server.request("PUT", "/", body: .stream(endless), in: 0.5))
            }
        },
        Case("a deadline includes redirects") { request in
            MockResponse(status: 302).adding("Location", request.path + "a").delayed(by: 0.1)
        } whenSent: { transport, server in
            var request = try server.request("GET", "/", in: 0.5)
            request.redirectPolicy = .follow(limit: 1000)
            try await expectTimeout { [request] in try await transport.send(request) }
        },
    ]
}

/// Fails unless `body` throws `URLError(.timedOut)` with a `DeadlineError` as its cause.
private func expectTimeout(from body: () async throws -> TransportResponse) async throws {
    try await expectError(.timedOut) {
        do {
            return try await body()
        } catch let error as URLError {
            let cause = error.userInfo[NSUnderlyingErrorKey]
            try expect(cause is DeadlineError, "a DeadlineError as the cause", cause as Any)
            throw error
        }
    }
}

extension RecordingServer {
    /// A request with a deadline, in seconds from now.
    fileprivate func request(
        _ method: String, _ path: String, body: RequestBody? = nil,
        destination: ResponseDestination = .memory(), in seconds: TimeInterval
    ) throws -> TransportRequest {
        var request = try request(method, path, body: body, destination: destination)
        request.deadline = RequestDeadline(after: seconds)
        return request
    }
}
