import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

// Older compilers cannot pass values to the child process.
#if compiler(>=6.3) && os(Linux)
    @Suite struct ExitTests {
        @Test(.requires(.nginx, .openssl))
        func `a process may exit while TLS exchanges run`() async throws {
            let nginx = try await Nginx(.valid)
            await #expect(processExitsWith: .exitCode(7)) {
                [
                    address = nginx.url.absoluteString as String,
                    authority = nginx.authority.path as String
                ] in
                // Registered before OpenSSL's own function, and so called after it. Exchanges go on
                // for its time.
                atexit { usleep(300_000) }
                var configuration = CurlTransport.Configuration()
                configuration.tls.trust = .file(URL(fileURLWithPath: authority))
                // Each request makes a handshake.
                configuration.maxIdleConnections = 0
                let transport = try CurlTransport(configuration: configuration)
                let request = TransportRequest(.patient(try #require(URL(string: address))))
                for _ in 0..<8 {
                    Task.detached {
                        while true { _ = try? await transport.send(request) }
                    }
                }
                for _ in 0..<10 { _ = try await transport.send(request) }
                exit(7)
            }
        }
    }
#endif
