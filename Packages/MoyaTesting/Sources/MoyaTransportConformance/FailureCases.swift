import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let failureCases: [Case] =
        [
            ("a connection closed without a byte", MockResponse.silence(then: .close)),
            ("a connection reset without a byte", .silence(then: .reset)),
            (
                "a body that ends before its Content-Length",
                MockResponse(body: .pattern(byteCount: 1000)).truncated(after: 500)
            ),
            (
                "a body that is reset before its Content-Length",
                MockResponse(body: .pattern(byteCount: 1000)).truncated(after: 500, then: .reset)
            ),
            (
                "a chunked body that ends early",
                .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")
            ),
            ("a head that ends early", .raw("HTTP/1.1 200 OK\r\nContent-Le")),
        ].map { what, response in
            Case("\(what) is a lost connection") { _ in
                response
            } whenSent: { transport, server in
                try await expectError(.networkConnectionLost) {
                    try await transport.send(to: server, "GET", "/")
                }
            }
        } + [
            Case("a response that is not HTTP is an error") { _ in
                .raw("SSH-2.0-OpenSSH_9\r\n\r\n")
            } whenSent: { transport, server in
                // An HTTP/0.9 response has no status line. A transport must not accept one by
                // default.
                try await expectFailure { try await transport.send(to: server, "GET", "/") }
            },
            Case("a port without a listener is a connection error") { transport in
                let port = try ClosedPort()
                try await expectError(.cannotConnectToHost) {
                    try await transport.send(
                        TransportRequest(URLRequest(url: port.url, timeoutInterval: 600)))
                }
            },
            Case("a host that does not exist cannot be found") { transport in
                guard let url = URL(string: "http://nonexistent.invalid/") else {
                    throw URLError(.badURL)
                }
                try await expectError(.cannotFindHost) {
                    try await transport.send(
                        TransportRequest(URLRequest(url: url, timeoutInterval: 600)))
                }
            },
            Case("a server that does not respond times out") { transport, server in
                let request = try server.request("GET", "/stall", timeout: 0.3)
                try await expectError(.timedOut) { try await transport.send(request) }
            },
            Case("a body that stops moving times out") { _ in
                MockResponse(body: .pattern(byteCount: 1000)).truncated(after: 500, then: .stall)
            } whenSent: { transport, server in
                let request = try server.request("GET", "/", timeout: 0.5)
                try await expectError(.timedOut) { try await transport.send(request) }
            },
        ]
        + ["ZZ", "+5", "-5"].map { size in
            // RFC 9112, section 7.1: a chunk's size consists of hexadecimal digits.
            Case("the chunk size \(size) is an error") { _ in
                .raw(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "\(size)\r\nhello\r\n0\r\n\r\n")
            } whenSent: { transport, server in
                try await expectFailure { try await transport.send(to: server, "GET", "/") }
            }
        }
        + ["+5", "-5"].map { length in
            // RFC 9110, section 8.6: a length consists of digits.
            Case("the Content-Length \(length) is an error") { _ in
                .raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
            } whenSent: { transport, server in
                try await expectFailure { try await transport.send(to: server, "GET", "/") }
            }
        }
        + [
            "ftp://127.0.0.1/", "file:///etc/passwd", "http:///path", "http://127.0.0.1:65536/",
            "http://%5B%5D/",
        ].map { text in
            Case("the URL \(text) is refused") { transport in
                guard let url = URL(string: text) else { throw Failure("a URL", text) }
                try await expectError(.unsupportedURL, .badURL) {
                    try await transport.send(TransportRequest(URLRequest(url: url)))
                }
            }
        }

    static let cancellationCases: [Case] = [
        Case("a task cancelled before sending fails as cancelled") { transport, server in
            let request = try server.request("GET", "/get")
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(request)
            }
            try await expectError(.cancelled) { try await task.value }
        },
        Case("cancelling while waiting for the response ends the exchange") { transport, server in
            let request = try server.request("GET", "/stall")
            let task = Task { try await transport.send(request) }
            _ = try await server.waitForRequests(1)
            task.cancel()
            try await expectError(.cancelled) { try await task.value }
            try await server.waitUntilDisconnected()
        },
        fileCase("cancelling while the body arrives ends the exchange and leaves no file") { _ in
            MockResponse(body: .pattern(byteCount: 1 << 20)).truncated(after: 1000, then: .stall)
        } whenSent: { transport, server, file in
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            var request = try server.request("GET", "/", destination: .file(file))
            request.progress = { _ in arrival.yield() }
            let task = Task { [request] in try await transport.send(request) }
            for await _ in arrivals { break }
            task.cancel()
            try await expectError(.cancelled) { try await task.value }
            try expectNoFile(file)
            try await server.waitUntilDisconnected()
        },
        Case("cancelling one of two requests leaves the other request intact") { request in
            request.path == "/stall" ? .silence(then: .stall) : .text("whole").delayed(by: 0.05)
        } whenSent: { transport, server in
            let stalled = try server.request("GET", "/stall")
            let other = try server.request("GET", "/other")
            let cancelled = Task { try await transport.send(stalled) }
            _ = try await server.waitForRequests(1)
            async let answer = transport.send(other)
            cancelled.cancel()
            try await expectError(.cancelled) { try await cancelled.value }
            try expect(try await answer.text(), "whole", "the other's body")
        },
    ]

    static let connectionCases: [Case] = [
        Case("sequential requests share a connection") { transport, server in
            for _ in 0..<20 { _ = try await transport.send(to: server, "GET", "/get") }
            try expect(server.connectionCount, 1, "the number of connections")
        },
        Case("a connection that the server closes is not reused") { request in
            .json(Echo(request)).ending(.close)
        } whenSent: { transport, server in
            for _ in 0..<5 {
                try expect(
                    try await transport.send(to: server, "GET", "/").head.statusCode, 200,
                    "the status")
            }
            try expect(server.connectionCount, 5, "the number of connections")
        },
        Case("concurrent requests get their own responses") { transport, server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<64 {
                    group.addTask {
                        let body = Data("request \(id)".utf8)
                        let echo = try await transport.send(
                            to: server, "POST", "/post?id=\(id)", body: .data(body)
                        ).echo()
                        try expect(echo.data, "request \(id)", "the echo")
                        try expect(echo.args["id"], "\(id)", "the argument")
                    }
                }
                try await group.waitForAll()
            }
        },
        Case("no header field or body of one request reaches the next") { transport, server in
            let headers = [
                "X-First": "1", "Authorization": "Bearer s", "Content-Type": "text/plain",
            ]
            _ = try await transport.send(
                to: server, "POST", "/post", headers: headers, body: .data(Data("first".utf8)))
            let echo = try await transport.send(to: server, "GET", "/get").echo()
            try expect(echo.data, "", "the body")
            for name in ["x-first", "authorization", "content-type", "cookie"] {
                try expect(echo.headers[name], nil, name)
            }
        },
        Case("cookies are not kept between requests") { request in
            .json(Echo(request)).adding("Set-Cookie", "session=1; Path=/")
        } whenSent: { transport, server in
            _ = try await transport.send(to: server, "GET", "/")
            let echo = try await transport.send(to: server, "GET", "/").echo()
            try expect(echo.headers["cookie"], nil, "Cookie")
        },
    ]
}
