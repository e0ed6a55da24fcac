import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let headerCases: [Case] =
        [
            Case("request header fields arrive as given") { transport, server in
                let headers = [
                    "X-One": "1", "X-Long": String(repeating: "v", count: 16_000),
                    "X-Marks": "a, b; c=\"d e\"", "Accept": "application/vnd.x+json",
                    "User-Agent": "me/1.0", "X-Utf8": "Grüße",
                ]
                let echo = try await transport.send(to: server, "GET", "/headers", headers: headers)
                    .echo()
                for (name, value) in headers {
                    try expect(echo.headers[name.lowercased()], value, name)
                }
            },
            Case("of header fields whose names differ in case only, one is sent") {
                transport, server in
                let names = ["Accept", "X-A", "X-B", "X-C", "X-D", "X-E", "X-F", "X-G"]
                var headers: [String: String] = [:]
                for name in names {
                    headers[name] = "first"
                    headers[name.lowercased()] = "last"
                }
                _ = try await transport.send(to: server, "GET", "/headers", headers: headers)
                for name in names {
                    let values = server.requests.last?.headers.values(for: name)
                    try expect(values, ["last"], name)
                }
            },
            Case("an empty header value is sent") { transport, server in
                let request = try server.request("GET", "/headers", headers: ["X-Empty": ""])
                try expect(
                    try await transport.send(request).echo().headers["x-empty"], "", "X-Empty")
            },
            Case("a request may set the Host field") { transport, server in
                let request = try server.request(
                    "GET", "/headers", headers: ["Host": "example.test"])
                try expect(
                    try await transport.send(request).echo().headers["host"], "example.test", "Host"
                )
            },
            Case("repeated header fields of a response are all returned") { _ in
                MockResponse().adding("Set-Cookie", "a=1; Path=/").adding("X-Many", "one").adding(
                    "X-Many", "two")
            } whenSent: { transport, server in
                let head = try await transport.send(to: server, "GET", "/").head
                let many = head.values(for: "x-many").joined(separator: ", ")
                try expect(
                    many.replacingOccurrences(of: ",two", with: ", two"), "one, two", "X-Many")
                try expect(head.value(for: "SET-COOKIE"), "a=1; Path=/", "Set-Cookie")
            },
            Case("white space around a response field's value is removed") { _ in
                .raw("HTTP/1.1 200 OK\r\nX-Odd: \t value \t \r\nContent-Length: 0\r\n\r\n")
            } whenSent: { transport, server in
                let head = try await transport.send(to: server, "GET", "/").head
                try expect(head.value(for: "x-odd"), "value", "X-Odd")
            },
            Case("a response may lack its reason phrase") { _ in
                .raw("HTTP/1.1 299 \r\nContent-Length: 2\r\n\r\nok")
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                try expect(response.head.statusCode, 299, "the status")
                try expect(response.text(), "ok", "the body")
            },
        ]
        + ["line\r\nX-Injected: 1", "line\nfeed", "nul\0byte"].map { value in
            Case("the header value \(value.debugDescription) is not sent") { transport, server in
                let request = try server.request("GET", "/", headers: ["X-Bad": value])
                try await expectFailure { try await transport.send(request) }
                try expect(server.requests.count, 0, "the number of requests")
            }
        }
        + ["bad name", "bad\r\nname", ""].map { name in
            Case("the header name \(name.debugDescription) is not sent") { transport, server in
                let request = try server.request("GET", "/", headers: [name: "value"])
                // Foundation may drop an invalid name before the transport sees it, so sending may
                // succeed.
                _ = try? await transport.send(request)
                try expect(
                    server.requests.flatMap(\.headers).contains { $0.value == "value" }, false,
                    "sending the value")
            }
        }
        + ["GET / HTTP/1.1\r\nX: y", "BAD METHOD"].map { method in
            Case("the method \(method.debugDescription) is not sent") { transport, server in
                try await expectFailure { try await transport.send(to: server, method, "/") }
                try expect(server.requests.count, 0, "the number of requests")
            }
        }
}
