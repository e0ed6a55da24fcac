#if os(Linux)
    import Foundation
    import MoyaTestSupport
    import Testing

    @testable import MoyaTransportCurl

    @Suite(.timeLimit(.minutes(3))) struct StallWatchdogTests {
        /// In a child process, which has only one watchdog.
        @Test func `a libcurl call that stalls after an idle period loses its connection`() async {
            await #expect(processExitsWith: .success) {
                let watchdog = try StallWatchdog(interval: 0.01)
                try await until { Self.switchCount() != nil }
                for _ in 0..<2 {
                    // The thread wakes for each sample, and sleeps while libcurl is not called.
                    _ = try await waitUntilStable { Self.switchCount() }
                    var ends: [Int32] = [0, 0]
                    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
                    var limit = timeval(tv_sec: 30, tv_usec: 0)
                    setsockopt(
                        ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit,
                        socklen_t(MemoryLayout<timeval>.size))
                    watchdog.open(ends[0])
                    watchdog.enter()
                    var byte: UInt8 = 0
                    try #require(recv(ends[0], &byte, 1, 0) == 0)
                    watchdog.leave()
                    #expect(watchdog.reason([ends[0]], localPort: 0) == .stall)
                    watchdog.close(ends[0])
                    for end in ends { close(end) }
                }
                watchdog.stop()
            }
        }

        /// The number of waits of the watchdog's thread. `nil` until the thread has its name.
        private static func switchCount() -> Int? {
            let tasks = "/proc/self/task"
            let ids = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
            for id in ids {
                let status = try? String(contentsOfFile: "\(tasks)/\(id)/status", encoding: .utf8)
                let lines = status?.split(separator: "\n") ?? []
                guard lines.first?.hasSuffix("\tmoya.curl.watch") == true else { continue }
                return lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
                    .flatMap { Int($0.dropFirst(24).trimmingCharacters(in: .whitespaces)) }
            }
            return nil
        }
    }
#endif
