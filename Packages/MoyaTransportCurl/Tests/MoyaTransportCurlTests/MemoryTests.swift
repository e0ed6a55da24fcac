import Foundation
import MoyaCore
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Older compilers cannot hand the path to the other process. Other systems tell less of its memory.
#if compiler(>=6.3) && os(Linux)
    @Suite struct MemoryTests {
        /// Sanitizers note something for every byte that was ever touched.
        private static let isSanitized = ["__tsan_init", "__asan_init"].contains {
            (name: String) in dlsym(dlopen(nil, RTLD_NOW), name) != nil
        }

        /// In a process of its own, whose memory nothing else uses. The server is in another one. `scripts/soak --only
        /// requests` sends a million.
        @Test(
            .enabled(if: Nginx.isInstalled, "nginx is installed by scripts/bootstrap --tests"),
            .disabled(if: isSanitized, "the memory would be the sanitizer's"))
        func `many requests leave the memory flat`() async throws {
            let nginx = try await Nginx(.valid)
            await #expect(processExitsWith: .success) { [path = nginx.unixSocket.path as String] in
                var configuration = CurlTransport.Configuration()
                configuration.network.unixSocket = URL(fileURLWithPath: path)
                let transport = try CurlTransport(configuration: configuration)
                let url = try #require(URL(string: "http://api.example.test/"))
                let request = TransportRequest(.patient(url))
                let count = 40_000 / 3
                for _ in 0..<10_000 { _ = try await transport.send(request) }
                // What leaks grows each time. The system's own bookkeeping may grow once.
                var growths: [Int] = []
                for _ in 0..<3 {
                    let before = try Self.anonymousKiB
                    for _ in 0..<count { _ = try await transport.send(request) }
                    growths.append(try Self.anonymousKiB - before)
                }
                // 16 bytes for each would be more.
                #expect(try #require(growths.min()) < count * 16 / 1024, "\(growths) KiB")
            }
        }

        /// The memory that is this process's alone: what it has read of its files comes and goes with others.
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
