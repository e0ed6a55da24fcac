#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    @Suite struct LongHeadTests {
        private func request(_ url: URL, kilobytes: Int) -> TransportRequest {
            var request = URLRequest(url: url)
            for number in 0..<kilobytes {
                let value = String(repeating: "a", count: 1000)
                request.setValue(value, forHTTPHeaderField: "X-Field-\(number)")
            }
            return TransportRequest(request)
        }

        // Over TLS, libcurl 7.88 and curl's program send 128 KiB of such a head, and then wait.
        @Test func `A request with more than 120 KiB of fields fails before it is sent over TLS`()
            async throws
        {
            let server = try RawServer { $0.waitForClient() }
            defer { server.stop() }
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            let error = await #expect(throws: URLError.self) {
                try await FoundationTransport().send(request(url, kilobytes: 130))
            }
            #expect(error?.code == .dataLengthExceedsMaximum)
            #expect(error?.localizedDescription.contains("header fields") == true)
        }

        @Test func `A request with 200 KB of fields is sent without TLS`() async throws {
            let server = try RawServer { connection in
                let head = connection.read(until: "\r\n\r\n")
                let length = "\(head.count)"
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(length.utf8.count)\r\n\r\n" + length)
            }
            defer { server.stop() }
            let request = request(server.url, kilobytes: 200)
            guard case .data(let data) = try await FoundationTransport().send(request).body else {
                Issue.record("The body is not in memory.")
                return
            }
            let length = try #require(Int(String(decoding: data, as: UTF8.self)))
            #expect(length > 200_000)
        }
    }
#endif
