import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let requestCases: [Case] =
        ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "M-SEARCH"].map { method in
            Case("the method \(method) arrives as sent") { transport, server in
                let response = try await transport.send(to: server, method, "/anything")
                try expect(response.echo().method, method, "the method")
            }
        } + [
            Case("a response to HEAD has no body and keeps its Content-Length") {
                transport, server in
                let response = try await transport.send(to: server, "HEAD", "/bytes/42")
                try expect(response.head.statusCode, 200, "the status")
                try expect(response.bytes().count, 0, "the body's length")
                try expect(response.head.value(for: "content-length"), "42", "Content-Length")
                try expect(server.requests.map(\.method), ["HEAD"], "the methods")
            },
            // The coding is that of the response to GET (RFC 9110, section 9.3.2).
            Case("a response without a body may have a content coding") { request in
                MockResponse(status: request.method == "HEAD" ? 200 : 204)
                    .adding("Content-Encoding", "gzip")
            } whenSent: { transport, server in
                for (method, status) in [("HEAD", 200), ("GET", 204)] {
                    let response = try await transport.send(to: server, method, "/")
                    try expect(response.head.statusCode, status, "the status of \(method)")
                    try expect(response.bytes().count, 0, "the length of the body of \(method)")
                }
            },
            Case("path and query arrive with their percent-encoding unchanged") {
                transport, server in
                let target = "/anything/a%2Fb%20c/%C3%A9?q=1%262&x=%2B&empty="
                let echo = try await transport.send(to: server, "GET", target).echo()
                try expect(echo.target, target, "the request target")
            },
            Case("POST, PUT and PATCH without a body send a Content-Length of 0") {
                transport, server in
                for method in ["POST", "PUT", "PATCH"] {
                    let echo = try await transport.send(to: server, method, "/anything").echo()
                    try expect(echo.headers["content-length"], "0", "Content-Length of \(method)")
                }
            },
            Case("GET without a body sends no Content-Length and no Content-Type") {
                transport, server in
                let echo = try await transport.send(to: server, "GET", "/get").echo()
                try expect(echo.headers["content-length"], nil, "Content-Length")
                try expect(echo.headers["content-type"], nil, "Content-Type")
            },
            Case("a body without a Content-Type is sent without one") { transport, server in
                let echo = try await transport.send(
                    to: server, "POST", "/post", body: .data(Data("x".utf8))
                ).echo()
                try expect(echo.headers["content-type"], nil, "Content-Type")
                try expect(echo.headers["expect"], nil, "Expect")
            },
            Case("a DELETE request may have a body") { transport, server in
                let request = try server.request("DELETE", "/delete", body: .data(Data("why".utf8)))
                try expect(try await transport.send(request).echo().data, "why", "the body")
            },
            Case("a wrong Content-Length set by the caller does not truncate the body") {
                transport, server in
                let request = try server.request(
                    "POST", "/post", headers: ["Content-Length": "2"],
                    body: .data(Data("whole".utf8)))
                try expect(try await transport.send(request).echo().data, "whole", "the body")
            },
        ]
        + [0, 1, 255, 65_536, 1_000_003, 5 << 20].map { size in
            Case("a request body of \(size) bytes arrives byte for byte") { request in
                .text(request.body == pattern(size) ? "same" : "other")
            } whenSent: { transport, server in
                let body = RequestBody.data(pattern(size))
                let response = try await transport.send(to: server, "POST", "/", body: body)
                try expect(response.text(), "same", "the answer")
                try expect(server.requests.map(\.bodyLength), [size], "the lengths")
            }
        }
}
