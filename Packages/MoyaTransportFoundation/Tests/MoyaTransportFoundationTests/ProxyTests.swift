#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// In child processes, because the environment names the proxy.
    @Suite struct ProxyRefusalTests {
        /// Returns the code of a request to an origin behind `proxy`.
        private static func code(
            _ origin: String, through scheme: String, _ proxy: RawServer
        ) async throws -> URLError.Code? {
            setenv("all_proxy", "\(scheme)://127.0.0.1:\(proxy.port)", 1)
            unsetenv("https_proxy")
            unsetenv("http_proxy")
            let url = try #require(URL(string: origin))
            let request = TransportRequest(URLRequest(url: url))
            let error = await #expect(throws: URLError.self) {
                try await FoundationTransport().send(request)
            }
            return error?.code
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
                let code = try await Self.code("https://origin.test/", through: "http", proxy)
                #expect(code == .cannotConnectToHost)
            }
        }

        @Test func `A proxy that closes the connection after a CONNECT is a lost connection`()
            async
        {
            await #expect(processExitsWith: .success) {
                let proxy = try RawServer { _ = $0.read(until: "\r\n\r\n") }
                let code = try await Self.code("https://origin.test/", through: "http", proxy)
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
                let code = try await Self.code("http://origin.test/", through: scheme, proxy)
                #expect(code == .cannotConnectToHost)
            }
        }
    }
#endif
