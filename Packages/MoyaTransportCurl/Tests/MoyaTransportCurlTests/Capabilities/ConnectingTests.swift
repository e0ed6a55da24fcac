import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How connections are opened.
@Suite(.timeLimit(.minutes(3))) struct ConnectingTests {
    @Test func `IPv6 is used when it is required, allowed or written in the URL`() async throws {
        let server = try LoopbackV6()
        defer { server.stop() }
        for (host, version) in [
            ("v6.test", CurlTransport.Configuration.Network.IPVersion.v6), ("v6.test", .any),
            ("[::1]", .v6),
        ] {
            let response = try await fetch("http://\(host):\(server.port)/") {
                $0.network.ipVersion = version
                $0.network.hostOverrides = [
                    .init(host: "v6.test", port: server.port, addresses: ["127.0.0.1", "::1"])
                ]
            }
            #expect(try response.text == "hello")
            #expect(response.metrics.remoteAddress == "::1")
        }
    }

    #if os(Linux)
        @Test func `IPv4 is tried when IPv6 has not connected within the Happy Eyeballs timeout`()
            async throws
        {
            let (server, deaf) = try Self.makePair()
            defer { server.stop() }
            let clients = deaf.fill()
            defer {
                for client in clients { close(client) }
                deaf.stop()
            }
            func attempt(
                _ start: TimeInterval, within limit: TimeInterval
            ) async throws -> TransportMetrics {
                try await fetch("http://both.test:\(server.port)/") {
                    $0.connectTimeout = limit
                    $0.network.happyEyeballsTimeout = start
                    $0.network.hostOverrides = [
                        .init(
                            host: "both.test", port: server.port, addresses: ["::1", "127.0.0.1"])
                    ]
                }.metrics
            }
            #expect(try await attempt(0.01, within: 120).remoteAddress == "127.0.0.1")
            // IPv4 is not tried within the connect timeout.
            let before = server.connectionCount
            let error = await #expect(throws: URLError.self) {
                try await attempt(1000, within: 0.3)
            }
            #expect(error?.code == .timedOut)
            #expect(server.connectionCount == before)
        }

        @Test func `TCP keep-alive uses the configured idle time and interval`() async throws {
            let server = try MockServer { _ in .text("x") }
            defer { server.stop() }
            for (idle, interval) in [(7, 11), (100_000, 100_000), (nil, nil)] as [(Int?, Int?)] {
                var configuration = CurlTransport.Configuration()
                configuration.keepAlive = idle.flatMap { idle in
                    interval.map { .init(idle: TimeInterval(idle), interval: TimeInterval($0)) }
                }
                let transport = try CurlTransport(configuration: configuration)
                _ = try await transport.send(TransportRequest(URLRequest(url: server.url)))
                let socket = try #require(Self.socket(to: server.port))
                #expect((Self.option(socket, SOL_SOCKET, SO_KEEPALIVE) != 0) == (idle != nil))
                if let idle, let interval {
                    let level = Int32(IPPROTO_TCP)
                    #expect(Self.option(socket, level, TCP_KEEPIDLE) == min(idle, 32_767))
                    #expect(Self.option(socket, level, TCP_KEEPINTVL) == min(interval, 32_767))
                }
                transport.shutdown()
                try await server.waitUntilDisconnected()
            }
        }

        /// A server on 127.0.0.1, and one on the same port of `::1` that accepts no connection.
        private static func makePair() throws -> (MockServer, LoopbackV6) {
            // The port of `::1` may be taken by another process.
            for _ in 0..<10 {
                let server = try MockServer { _ in .text("x") }
                if let deaf = try? LoopbackV6(port: server.port, isDeaf: true) {
                    return (server, deaf)
                }
                server.stop()
            }
            throw POSIXError(.EADDRINUSE)
        }

        /// This process's socket that is connected to `port` on 127.0.0.1.
        private static func socket(to port: Int) -> Int32? {
            (Int32(3)..<Int32(getdtablesize())).first { descriptor in
                var address = sockaddr_in()
                let isConnected = address.asSystemAddress { getpeername(descriptor, $0, &$1) == 0 }
                return isConnected && Int32(address.sin_family) == AF_INET
                    && Int(UInt16(bigEndian: address.sin_port)) == port
            }
        }

        private static func option(_ socket: Int32, _ level: Int32, _ name: Int32) -> Int {
            var value: Int32 = -1
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(socket, level, name, &value, &length) == 0 ? Int(value) : -1
        }
    #endif
}
