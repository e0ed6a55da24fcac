import Foundation
import MoyaCore
import MoyaMockServer

extension TransportConformance {
    static let keptConnectionCases: [Case] =
        [
            ("resets", MockResponse.silence(then: .reset)), ("closes", .silence(then: .close)),
        ].map { what, end in
            // RFC 9110, section 9.2.2: a request with an idempotent method may be repeated.
            Case("a GET on a kept connection that the server \(what) is sent again") { _ in
                .text("again")
            } whenSent: { transport, server in
                _ = try await transport.send(to: server, "GET", "/first")
                server.enqueue(end)
                let response = try await transport.send(to: server, "GET", "/second")
                try expect(response.text(), "again", "the body")
                try expect(server.requests.count, 3, "the number of requests")
            }
        }
        + [
            ("a whole response", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsurplus"),
            ("a part of a response", "HTTP/1.1 20"), ("a body of 3 bytes", "abc"),
        ].map { what, surplus in
            // curl closes such a connection (`lib/transfer.c`, "Excess found").
            Case("\(what) after a response does not answer the next request") { transport in
                let server = try RawServer { connection in
                    var surplus = surplus
                    while true {
                        let request = String(
                            decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
                        guard let path = request.split(separator: " ").dropFirst().first else {
                            return
                        }
                        connection.write(
                            "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n"
                                + path + surplus)
                        surplus = ""
                    }
                }
                defer { server.stop() }
                for path in ["/1", "/2", "/3"] {
                    guard let url = URL(string: path, relativeTo: server.url) else { return }
                    let response = try await transport.send(
                        TransportRequest(URLRequest(url: url.absoluteURL)))
                    try expect(response.text(), path, "the body")
                }
            }
        }
}
