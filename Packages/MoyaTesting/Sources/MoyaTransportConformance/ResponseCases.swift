import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let responseCases: [Case] =
        [200, 201, 400, 401, 404, 418, 500, 503, 599].map { status in
            Case("the status \(status) is a response") { _ in
                .text("body", status: status)
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                try expect(response.head.statusCode, status, "the status")
                try expect(response.text(), "body", "the body")
                try expect(response.head.url, server.request("GET", "/").urlRequest.url, "the URL")
            }
        } + [
            Case("responses with the status 204 or 304 have no body") { request in
                MockResponse(status: request.path == "/304" ? 304 : 204, body: .none)
            } whenSent: { transport, server in
                for status in [204, 304] {
                    let response = try await transport.send(to: server, "GET", "/\(status)")
                    try expect(response.head.statusCode, status, "the status")
                    try expect(response.bytes().count, 0, "the body's length")
                }
            },
            Case("informational responses are skipped") { _ in
                .raw(
                    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: yes\r\n\r\nok")
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                try expect(response.head.statusCode, 200, "the status")
                try expect(response.head.value(for: "X-Last"), "yes", "X-Last")
                try expect(response.text(), "ok", "the body")
            },
            Case("a response body of 8 MiB arrives byte for byte") { transport, server in
                let response = try await transport.send(to: server, "GET", "/bytes/\(8 << 20)")
                try expect(try response.bytes() == pattern(8 << 20), "the same bytes")
            },
            Case("a chunked body with chunk extensions is decoded") { _ in
                .raw(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5;ext=1\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-Trailer: t\r\n\r\n")
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                try expect(response.text(), "hello world", "the body")
            },
            Case("a body sent in small delayed chunks is complete") { _ in
                MockResponse(body: .chunked((0..<20).map { Data("\($0),".utf8) }, interval: 0.005))
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                let expected = (0..<20).map { "\($0)," }.joined()
                try expect(response.bytes(), Data(expected.utf8), "the body")
            },
            Case("a response body may end with the connection") { _ in
                MockResponse(body: .untilClose(Data("till the end".utf8)))
            } whenSent: { transport, server in
                let response = try await transport.send(to: server, "GET", "/")
                try expect(response.text(), "till the end", "the body")
            },
            Case("gzip and deflate bodies are decoded") { transport, server in
                for coding in ["gzip", "deflate"] {
                    let echo = try await transport.send(to: server, "GET", "/\(coding)").echo()
                    try expect(echo.target, "/\(coding)", "the target in the body")
                }
            },
            Case("a range request asks for the identity coding") { transport, server in
                let echo = try await transport.send(
                    to: server, "GET", "/headers", headers: ["Range": "bytes=2-5"]
                ).echo()
                try expect(echo.headers["range"], "bytes=2-5", "Range")
                try expect(echo.headers["accept-encoding"], "identity", "Accept-Encoding")
            },
            Case("a corrupt gzip body is an error") { _ in
                MockResponse.text("this is not gzip at all").adding("Content-Encoding", "gzip")
            } whenSent: { transport, server in
                try await expectFailure { try await transport.send(to: server, "GET", "/") }
            },
            Case("a body at the memory limit is returned, and one byte more is an error") {
                transport, server in
                let fits = try server.request(
                    "GET", "/bytes/1000", destination: .memory(limit: 1000))
                try expect(try await transport.send(fits).bytes().count, 1000, "the length")
                try await expectError(.dataLengthExceedsMaximum) {
                    try await transport.send(
                        to: server, "GET", "/bytes/1001", destination: .memory(limit: 1000))
                }
            },
            Case("an endless body stops at the memory limit") { _ in
                MockResponse(body: .chunked(Array(repeating: pattern(65_536), count: 4096)))
            } whenSent: { transport, server in
                try await expectError(.dataLengthExceedsMaximum) {
                    try await transport.send(
                        to: server, "GET", "/", destination: .memory(limit: 1 << 20))
                }
            },
            Case("the metrics contain the total time and the protocol") { transport, server in
                let metrics = try await transport.send(to: server, "GET", "/get").metrics
                try expect(metrics.total ?? 0 > 0, "a total above 0", metrics)
                try expect(metrics.protocolName ?? "http/1.1", "http/1.1", "the protocol")
                try expect(metrics.redirectCount, 0, "the number of redirects")
            },
        ]
}
