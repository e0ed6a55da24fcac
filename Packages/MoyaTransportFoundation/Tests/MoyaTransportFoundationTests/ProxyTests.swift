#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// In child processes, because the environment names the proxy.
    @Suite struct ProxyTests {
        /// Sends a request to an origin behind `proxy`.
        private static func send(
            to origin: String, through scheme: String, _ proxy: RawServer
        ) async throws -> TransportResponse {
            setenv("all_proxy", "\(scheme)://127.0.0.1:\(proxy.port)", 1)
            unsetenv("https_proxy")
            unsetenv("http_proxy")
            let url = try #require(URL(string: origin))
            return try await FoundationTransport().send(TransportRequest(URLRequest(url: url)))
        }

        /// Returns the error's code of a request to an origin behind `proxy`.
        private static func code(
            _ origin: String, through scheme: String, _ proxy: RawServer
        ) async -> URLError.Code? {
            let error = await #expect(throws: URLError.self) {
                try await send(to: origin, through: scheme, proxy)
            }
            return error?.code
        }

        // RFC 1928, sections 3 to 6.
        @Test func `The environment's SOCKS proxy connects to the host that the request names`()
            async
        {
            await #expect(processExitsWith: .success) {
                let proxy = try RawServer { connection in
                    _ = connection.read()
                    connection.write(Data([5, 0]))
                    let isForOrigin = connection.read().range(of: Data("origin.test".utf8)) != nil
                    connection.write(Data([5, isForOrigin ? 0 : 1, 0, 1, 0, 0, 0, 0, 0, 0]))
                    _ = connection.read(until: "\r\n\r\n")
                    connection.write("HTTP/1.1 204 Done\r\n\r\n")
                }
                let response = try await Self.send(
                    to: "http://origin.test/", through: "socks5h", proxy)
                #expect(response.head.statusCode == 204)
            }
        }

        // As CurlTransport and HTTPClientTransport do.
        @Test(arguments: ["403 Forbidden", "407 Who", "502 Bad Gateway"])
        func `A CONNECT request that the proxy refuses is a connection error`(status: String) async
        {
            await #expect(processExitsWith: .success) { [status = status as String] in
                let proxy = try RawServer { connection in
                    _ = connection.read(until: "\r\n\r\n")
                    connection.write("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
                    connection.waitForClient()
                }
                let code = await Self.code("https://origin.test/", through: "http", proxy)
                #expect(code == .cannotConnectToHost)
            }
        }

        @Test func `A proxy that closes the connection after a CONNECT is a lost connection`()
            async
        {
            await #expect(processExitsWith: .success) {
                let proxy = try RawServer { _ = $0.read(until: "\r\n\r\n") }
                let code = await Self.code("https://origin.test/", through: "http", proxy)
                #expect(code == .networkConnectionLost)
            }
        }

        /// RFC 1928, sections 3 and 6: no acceptable method, a connection that the rules do not
        /// allow, an unreachable host, and a proxy that closes the connection. SOCKS 4: rejected.
        private static let refusals: [(String, [[UInt8]])] = [
            ("socks5h", [[5, 255]]), ("socks5h", [[5, 0], [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]]),
            ("socks5h", [[5, 0], [5, 4, 0, 1, 0, 0, 0, 0, 0, 0]]), ("socks5h", []),
            ("socks4a", [[0, 91, 0, 0, 0, 0, 0, 0]]),
        ]

        @Test(arguments: refusals.indices)
        func `A connection that the SOCKS proxy refuses is a connection error`(index: Int) async {
            await #expect(processExitsWith: .success) { [index = index as Int] in
                let (scheme, answers) = Self.refusals[index]
                let proxy = try RawServer { connection in
                    for answer in answers {
                        _ = connection.read()
                        connection.write(Data(answer))
                    }
                    if !answers.isEmpty { connection.waitForClient() }
                }
                let code = await Self.code("http://origin.test/", through: scheme, proxy)
                #expect(code == .cannotConnectToHost)
            }
        }
    }
#endif
