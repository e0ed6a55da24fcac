import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Older compilers cannot pass the path to the child process. Other systems report less about its
// memory.
#if compiler(>=6.3) && os(Linux)
    @Suite struct MemoryTests {
        /// In a child process, without other tests and without the server. `scripts/soak --only
        /// requests` sends a million.
        @Test(.requires(.nginx, .openssl, .unsanitized))
        func `memory of CurlTransport stays flat over many requests`() async throws {
            let nginx = try await Nginx(.valid)
            await #expect(processExitsWith: .success) { [path = nginx.unixSocket.path as String] in
                var configuration = CurlTransport.Configuration()
                configuration.network.unixSocket = URL(fileURLWithPath: path)
                let transport = try CurlTransport(configuration: configuration)
                let url = try #require(URL(string: "http://api.example.test/"))
                let request = TransportRequest(.patient(url))
                let count = 2_500
                for _ in 0..<count { _ = try await transport.send(request) }
                // A leak grows in each round. The allocator's own memory may grow once.
                var growths: [Int] = []
                for _ in 0..<3 {
                    let before = try Self.anonymousKiB
                    for _ in 0..<count { _ = try await transport.send(request) }
                    growths.append(try Self.anonymousKiB - before)
                }
                // A leak of 16 bytes for each request would exceed this.
                #expect(try #require(growths.min()) < count * 16 / 1024, "\(growths) KiB")
            }
        }

        /// The process's anonymous memory in KiB, which excludes file pages in the page cache.
        private static var anonymousKiB: Int {
            get throws {
                let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
                let line = text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
                return try #require(
                    line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            }
        }
    }
#endif
