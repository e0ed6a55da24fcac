#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaTesting
    import Testing

    @testable import MoyaTransportFoundation

    /// Responses that end the process where URLSession gets them as they are. Each in a process of its own.
    @Suite struct ResponseGuardTests {
        private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        private static let redirect = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "

        @Test func `what this toolchain has of URLSession can be guarded`() {
            #expect(FoundationTransport.isGuarded)
        }

        /// Expects the status and the body of `message`, or the code of the error it is.
        private static func expect(
            _ expected: String, of message: String, destination: ResponseDestination = .memory()
        ) async throws {
            let outcome = try await outcome(of: message, destination)
            #expect(outcome == expected, "\(message.debugDescription)")
        }

        private static func outcome(
            of message: String, _ destination: ResponseDestination
        ) async throws -> String {
            let server = try MockServer { _ in .raw(Data(message.utf8)) }
            defer { server.stop() }
            let request = TransportRequest(
                URLRequest(url: server.url), destination: destination, redirectPolicy: .refuse)
            do {
                let response = try await FoundationTransport().send(request)
                switch response.body {
                case .data(let data):
                    return "\(response.head.statusCode) \(String(decoding: data, as: UTF8.self))"
                case .stream(let stream):
                    let data = try await stream.collect(upTo: 1000)
                    return "\(response.head.statusCode) \(String(decoding: data, as: UTF8.self))"
                case .file: return "file"
                }
            } catch { return "\((error as? URLError)?.code.rawValue ?? 0)" }
        }

        @Test(arguments: [
            (chunked + "5\r\nhello\r\n0\r\nX-Sum: 7\r\nX-More: 8\r\n\r\n", "200 hello"),
            (chunked + "0\r\nX-Sum: 7\r\n\r\n", "200 "),
            (
                "HTTP/1.1 302 Found\r\nLocation: /x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n0\r\nX-Sum: 7\r\n\r\n", "302 hello"
            ),
            (
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 7\r\n\r\n", "401 "
            ),
            ("HTTP/1.1 100 Continue\r\n\r\n" + chunked + "0\r\nX: 7\r\n\r\n", "200 "),
        ])
        func `trailer fields are passed over`(message: String, expected: String) async {
            await #expect(processExitsWith: .success) {
                [message = message as String, expected = expected as String] in
                try await Self.expect(expected, of: message)
                try await Self.expect(expected, of: message, destination: .stream)
            }
        }

        // The second request over a connection is sent at once, and may be answered at once.
        @Test func `trailer fields are passed over on a connection that is used again`() async {
            await #expect(processExitsWith: .success) {
                let server = try MockServer { _ in .text("hello").addingTrailer("X-Sum", "7") }
                defer { server.stop() }
                let transport = FoundationTransport()
                for _ in 0..<200 {
                    let response = try await transport.send(
                        TransportRequest(URLRequest(url: server.url)))
                    #expect(response.head.statusCode == 200)
                }
                #expect(server.connectionCount == 1)
            }
        }

        // Refused, libcurl would ask again, and URLSession get two answers to one question.
        @Test func `no expectation is sent that a server could refuse`() async {
            await #expect(processExitsWith: .success) {
                let server = try MockServer { request in
                    request.value(for: "Expect") == nil
                        ? .text("hello") : .text("not here", status: 417)
                }
                defer { server.stop() }
                var request = URLRequest(url: server.url)
                request.httpMethod = "PUT"
                request.setValue("100-continue", forHTTPHeaderField: "Expect")
                let response = try await FoundationTransport().send(
                    TransportRequest(request, body: .data(Data("body".utf8))))
                #expect(response.head.statusCode == 200)
            }
        }

        @Test(arguments: [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: 1\r\n", "HTTP/1.1 200 OK\r\nX: 1",
            "HTTP/1.1 302 Found\r\nLocation: /x\r\n", "HTTP/1.1 100 Continue\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n",
        ])
        func `a head that ends early is a lost connection`(message: String) async {
            await #expect(processExitsWith: .success) { [message = message as String] in
                try await Self.expect("-1005", of: message)
            }
        }

        @Test(arguments: [
            "//[::1]/", "//a%00b/", "//a%20b/", "//a%2Fb/x", "//[::1]:80/x?y", " //[fe80::1%25a]/",
            "\r\n //[::1]/", "//[::1]/\r\nLocation: /x",
        ])
        func `a location that URLSession cannot resolve is no response`(location: String) async {
            await #expect(processExitsWith: .success) { [location = location as String] in
                try await Self.expect("-1011", of: Self.redirect + location + "\r\n\r\n")
            }
        }

        @Test(arguments: [Int64.max, .max - 1, .max - 511, (1 << 62) + 1] as [Int64])
        func `a length that nothing has is no response`(length: Int64) async {
            await #expect(processExitsWith: .success) { [length = length as Int64] in
                let message = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nx"
                try await Self.expect("-1011", of: message)
            }
        }
    }
#endif
