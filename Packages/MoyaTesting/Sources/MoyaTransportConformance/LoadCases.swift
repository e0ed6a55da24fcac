import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

extension TransportConformance {
    /// Behaviours under load. Separate from ``cases``, because they take some seconds each. The
    /// time limit is three minutes each, for busy machines.
    public static let loadCases: [Case] = [
        Case("2,500 requests, 64 of them concurrent, all succeed", within: 180) { request in
            .text(request.target)
        } whenSent: { transport, server in
            try await load(2500, atOnce: 64) { id in
                let response = try await transport.send(to: server, "GET", "/\(id)")
                try expect(response.text(), "/\(id)", "the body")
            }
            try expect(server.requests.count, 2500, "the number of requests")
            try expect(
                server.connectionCount < 1250, "connections to be reused", server.connectionCount)
        },
        Case(
            "1,000 requests cancelled at various moments end once, and the others complete",
            within: 180
        ) { request in
            .text(String(repeating: "x", count: 20_000)).delayed(
                by: request.bodyLength % 3 == 0 ? 0 : 0.002)
        } whenSent: { transport, server in
            try await load(1000, atOnce: 32) { id in
                let request = try server.request("POST", "/", body: .data(pattern(id)))
                let task = Task { try await transport.send(request) }
                for _ in 0..<(id % 40) { await Task.yield() }
                if id % 4 != 0 { task.cancel() }
                do {
                    try expect(try await task.value.bytes().count, 20_000, "the body's length")
                } catch let error as URLError {
                    try expect(error.code, .cancelled, "the error")
                    try expect(id % 4 != 0, "a cancellation only of a cancelled task")
                }
            }
            let answer = try await transport.send(to: server, "GET", "/")
            try expect(answer.bytes().count, 20_000, "the body's length afterwards")
        },
    ]

    /// Calls `body` with the numbers from 0 to `count - 1`, at most `width` calls at a time.
    public static func load(
        _ count: Int, atOnce width: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let next = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while true {
                        let id = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard id < count else { return }
                        try await body(id)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Resources of a process. Supported only on Linux; all values are 0 elsewhere.
    public struct Footprint: Sendable {
        /// Number of open descriptors.
        public let descriptors: Int
        /// Number of threads.
        public let threads: Int
        /// Resident memory, in KiB.
        public let residentKiB: Int

        /// Returns the current footprint of this process.
        public static func current() -> Footprint {
            let files = FileManager.default
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return Footprint(
                descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
                threads: (try? files.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0,
                residentKiB: resident.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
        }
    }
}
