import MoyaInternals

#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// Responses on which URLSession on Linux ends the process, each in a child process, and
    /// responses that it misinterprets. The README lists them. When a later URLSession handles one
    /// correctly, its test fails, and its row is to be removed from the README.
    @Suite struct FatalResponseTests {
        private static let ok = "HTTP/1.1 200 OK\r\n"
        private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
        private static let redirect = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "

        /// Returns the status and body that result from `message`, or the code of the error.
        private static func outcome(of message: Data) async throws -> String {
            let server = try RawServer { connection in
                _ = connection.read(until: "\r\n\r\n")
                connection.write(message)
            }
            defer { server.stop() }
            let request = TransportRequest(URLRequest(url: server.url), redirectPolicy: .refuse)
            do {
                let response = try await FoundationTransport().send(request)
                guard case .data(let data) = response.body else { return "no data" }
                return "\(response.head.statusCode) \(String(decoding: data, as: UTF8.self))"
            } catch {
                return "\((error as? URLError)?.code.rawValue ?? 0)"
            }
        }

        // MARK: Responses that end the process

        private static func expectEnd(of message: String) async {
            await #expect(processExitsWith: .failure) { [message = message as String] in
                _ = try await Self.outcome(of: Data(message.utf8))
            }
        }

        @Test(arguments: [
            chunked + "5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n", chunked + "0\r\nX-Sum: 7\r\n\r\n",
            "HTTP/1.1 407 Proxy\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: 7\r\n\r\n",
        ])
        func `URLSession ends the process on trailer fields`(message: String) async {
            await Self.expectEnd(of: message)
        }

        @Test(arguments: [
            ok, ok + "X: 1\r\n", ok + "X: 1", "HTTP/1.1 100 Continue\r\n",
            "HTTP/1.1 103 Early Hints\r\n\r\n" + ok,
        ])
        func `URLSession ends the process on a connection that closes within a head`(
            message: String
        )
            async
        {
            await Self.expectEnd(of: message)
        }

        @Test(arguments: ["\r", "\0"])
        func `URLSession ends the process on a line that begins with a carriage return or NUL`(
            start: String
        ) async {
            await Self.expectEnd(of: Self.ok + "Content-Length: 0\r\n\(start)X: 1\r\n\r\n")
        }

        @Test(arguments: ["//[::1]/", "//a%00b/", "//a%20b/", "//[::1]:80/x?y"])
        func `URLSession ends the process on a Location whose host it cannot put into a URL`(
            location: String
        ) async {
            await Self.expectEnd(of: Self.redirect + location + "\r\n\r\n")
        }

        @Test(arguments: [Int64.max, .max - 511] as [Int64])
        func `URLSession ends the process on a length near the largest number`(length: Int64) async
        {
            await Self.expectEnd(of: Self.ok + "Content-Length: \(length)\r\n\r\nx")
        }

        // MARK: Endless responses

        // URLSession keeps reading after the timeout, until the process ends.
        @Test(arguments: [
            (ok, "X: y\r\n"), (chunked + "5\r\nhello\r\n0\r\n", "X: y\r\n"),
            ("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", "body"),
        ])
        func `A response with endless fields, trailer fields or redirect body times out`(
            beginning: String, rest: String
        ) async {
            await #expect(processExitsWith: .success) {
                [beginning = beginning as String, rest = rest as String] in
                let server = try RawServer { connection in
                    _ = connection.read(until: "\r\n\r\n")
                    connection.write(beginning)
                    let more = String(repeating: rest, count: 1_000)
                    while connection.write(more) {}
                }
                let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: 0.5))
                let error = await #expect(throws: URLError.self) {
                    try await FoundationTransport().send(request)
                }
                #expect(error?.code == .timedOut)
            }
        }

        // URLSession decompresses and concatenates the body in quadratic time.
        @Test
        func
            `A redirect whose compressed body expands to 300 MiB blocks requests to other hosts beyond their timeouts`()
            async
        {
            await #expect(processExitsWith: .success) {
                var redirect = MockResponse.compressedZeros(300 << 20)
                redirect.status = 302
                let bomb = try MockServer { [redirect] _ in redirect.adding("Location", "/x") }
                let error = await #expect(throws: URLError.self) {
                    try await FoundationTransport().send(
                        TransportRequest(URLRequest(url: bomb.url, timeoutInterval: 1)))
                }
                #expect(error?.code == .timedOut)
                let other = try MockServer()
                let url = other.url
                let isHeldUp = await withCheckedContinuation { continuation in
                    let first = FirstAnswer(continuation)
                    Task.detached {
                        let request = TransportRequest(URLRequest(url: url, timeoutInterval: 0.1))
                        _ = try? await FoundationTransport().send(request)
                        first.give(false)
                    }
                    Thread.detachNewThread {
                        // A request that does not end has no event, so it gets 20 times its
                        // timeout.
                        Thread.sleep(forTimeInterval: 2)
                        first.give(true)
                    }
                }
                #expect(isHeldUp)
                #expect(other.requests.isEmpty)
            }
        }

        // MARK: Misinterpreted responses

        private static let unreadable: [Data] = [
            // A byte that is not UTF-8, in a field and in the reason phrase.
            Data((ok + "X: caf").utf8) + [0xE9] + Data("\r\nContent-Length: 2\r\n\r\nhi".utf8),
            Data("HTTP/1.1 200 caf".utf8) + [0xE9] + Data("\r\nContent-Length: 2\r\n\r\nhi".utf8),
            // No reason phrase and no space before it.
            Data("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi".utf8),
            // Lines that end with LF only.
            Data("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi".utf8),
            Data((ok + "X: y\nContent-Length: 2\r\n\r\nhi").utf8),
            // A value of several spaces, and a space before the colon.
            Data((ok + "X:   \r\nContent-Length: 2\r\n\r\nhi").utf8),
            Data((ok + "X : y\r\nContent-Length: 2\r\n\r\nhi").utf8),
            // A continuation line without a preceding field.
            Data((ok + " x: y\r\nContent-Length: 2\r\n\r\nhi").utf8),
            Data((ok.replacingOccurrences(of: "200", with: "101") + "\r\nhi").utf8),
        ]

        @Test(arguments: unreadable)
        func `A response that URLSession cannot parse is a bad response`(message: Data) async throws
        {
            #expect(try await Self.outcome(of: message) == "-1011")
        }

        @Test func `URLSession keeps one of two fields whose names differ only in case`()
            async throws
        {
            let server = try MockServer { _ in
                .text("hello").adding("Vary", "a").adding("vary", "b")
            }
            defer { server.stop() }
            let response = try await FoundationTransport().send(
                TransportRequest(URLRequest(url: server.url)))
            #expect(["a", "b"].contains(response.head.value(for: "Vary")))
        }

        // The remaining fields are lost, and the rest of the head becomes the body.
        @Test
        func
            `URLSession treats a carriage return at the beginning of a line as the end of the head`()
            async throws
        {
            let message = Data((Self.ok + "\rX: 1\r\n\r\n").utf8)
            #expect(try await Self.outcome(of: message) == "200 \r\n")
        }

        @Test(arguments: ["", "Location:\r\n", "Location: http://[::1\r\n"])
        func `URLSession loses the body of a redirect without a usable Location`(field: String)
            async throws
        {
            let head = "HTTP/1.1 301 Moved\r\n\(field)Content-Length: 2\r\n\r\n"
            #expect(try await Self.outcome(of: Data((head + "hi").utf8)) == "301 ")
        }

        @Test(arguments: ["HTTP/2", "http/1.1"])
        func `URLSession accepts a status line of another version over HTTP/1.1`(version: String)
            async throws
        {
            let message = Data("\(version) 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)
            #expect(try await Self.outcome(of: message) == "200 hi")
        }

        // RFC 9112, section 5.2.
        @Test func `URLSession does not decode a body whose Content-Encoding is folded`()
            async throws
        {
            let body: [UInt8] = [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0xC8, 4, 0, 0xAC, 0x2A, 0x93, 0xD8, 2, 0,
                0, 0,
            ]
            let fields = "Content-Encoding:\r\n gzip\r\nContent-Length: \(body.count)\r\n\r\n"
            let outcome = try await Self.outcome(of: Data((Self.ok + fields).utf8) + body)
            #expect(outcome.hasPrefix("200 "))
            #expect(outcome != "200 hi")
        }

        // RFC 1952: a header and the beginning of a block, without the end of the block, the
        // checksum and the length.
        @Test func `URLSession accepts a truncated compressed body as whole`() async throws {
            let cut: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x04]
            let head = Self.ok + "Content-Encoding: gzip\r\nContent-Length: \(cut.count)\r\n\r\n"
            #expect(try await Self.outcome(of: Data(head.utf8) + cut).hasPrefix("200 "))
        }

        // RFC 9112, section 8.
        @Test func `URLSession accepts a chunked body without its last line feed as complete`()
            async throws
        {
            let message = Data((Self.chunked + "2\r\nhi\r\n0\r\n\r").utf8)
            #expect(try await Self.outcome(of: message) == "200 hi")
        }

        // RFC 1952, section 2.2.
        @Test func `A body of several gzip members is an error`() async throws {
            let member: [UInt8] = [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0xC8, 4, 0, 0xAC, 0x2A, 0x93, 0xD8, 2, 0,
                0, 0,
            ]
            for (body, outcome) in [(member, "200 hi"), (member + member, "-1")] {
                let head =
                    Self.ok + "Content-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
                #expect(try await Self.outcome(of: Data(head.utf8) + body) == outcome)
            }
        }

        // libcurl distinguishes the two deflate formats by the first bytes (RFC 9110, section
        // 8.4.1.2), and decodes each chunk as it arrives.
        @Test func `Raw deflate cannot be decoded if its first byte arrives in a separate chunk`()
            async throws
        {
            let head = Self.ok + "Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n\r\n"
            let whole: [[UInt8]] = [[0xCB, 0xC8, 4, 0]]
            for (chunks, outcome) in [(whole, "200 hi"), ([[0xCB], [0xC8, 4, 0]], "-1016")] {
                var message = Data(head.utf8)
                for chunk in chunks {
                    message += Data("\(chunk.count)\r\n".utf8) + chunk + Data("\r\n".utf8)
                }
                message += Data("0\r\n\r\n".utf8)
                #expect(try await Self.outcome(of: message) == outcome)
            }
        }

        // RFC 9112, section 9.2.
        @Test func `URLSession treats bytes after a response as the next response`() async throws {
            let isHeadRead = DispatchSemaphore(value: 0)
            let server = try RawServer { connection in
                guard !connection.read(until: "\r\n\r\n").isEmpty else { return }
                connection.write(Self.ok + "Content-Length: 5\r\n\r\n")
                // Makes libcurl read the head in one call, and at most the body in the next.
                isHeadRead.wait()
                connection.write("hello" + Self.ok + "Content-Length: 6\r\n\r\nforged")
                connection.waitForClient()
            }
            defer {
                isHeadRead.signal()
                server.stop()
            }
            let transport = FoundationTransport()
            var bodies: [String] = []
            for _ in 0..<2 {
                let response = try await transport.send(
                    TransportRequest(URLRequest(url: server.url), destination: .stream))
                isHeadRead.signal()
                guard case .stream(let stream) = response.body else { continue }
                bodies.append(String(decoding: try await stream.collect(upTo: 100), as: UTF8.self))
            }
            #expect(bodies == ["hello", "forged"])
        }

        // MARK: Repeated requests

        // RFC 9110, section 9.2.2. URLSession needs another copy of a body and has none, so it
        // repeats only the head.
        @Test(arguments: [
            ("POST", RequestBody.none, 2), ("PATCH", .none, 2), ("PAY", .none, 2),
            ("POST", .data(Data("body".utf8)), 1), ("PATCH", .data(Data("body".utf8)), 1),
        ])
        func
            `URLSession repeats a request of any method without a body when a reused connection closes unanswered`(
                method: String, body: RequestBody, count: Int
            ) async throws
        {
            let (requests, arrival) = AsyncStream<Void>.makeStream()
            let hasBody = if case .none = body { false } else { true }
            let server = try RawServer { connection in
                // A GET request is answered, which keeps the connection open.
                while true {
                    let head = connection.read(until: "\r\n\r\n")
                    guard head.starts(with: Data("GET".utf8)) else {
                        let end = Data("\r\n\r\nbody".utf8)
                        let isWhole =
                            !hasBody || head.range(of: end) != nil
                            || !connection.read(until: "body").isEmpty
                        if !head.isEmpty, isWhole { arrival.yield() }
                        return
                    }
                    connection.write(Self.ok + "Content-Length: 0\r\n\r\n")
                }
            }
            let transport = FoundationTransport()
            var request = URLRequest(url: server.url)
            _ = try await transport.send(TransportRequest(request))
            request.httpMethod = method
            let unanswered = TransportRequest(request, body: body)
            await #expect(throws: URLError.self) { try await transport.send(unanswered) }
            server.stop()
            arrival.finish()
            var arrived = 0
            for await _ in requests { arrived += 1 }
            #expect(arrived == count)
        }
    }

    /// Resumes a continuation with the first of two values.
    private final class FirstAnswer: Sendable {
        private let continuation: Locked<CheckedContinuation<Bool, Never>?>

        init(_ continuation: CheckedContinuation<Bool, Never>) {
            self.continuation = Locked(continuation)
        }

        func give(_ answer: Bool) {
            continuation.withLock { continuation in
                continuation?.resume(returning: answer)
                continuation = nil
            }
        }
    }
#endif
