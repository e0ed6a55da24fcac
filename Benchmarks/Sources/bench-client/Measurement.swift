import Foundation

/// Result of one run. Printed as a line of JSON, which the report is made from.
struct Measurement: Codable {
    var requests: Int
    var failed: Int
    /// Elapsed time, in seconds.
    var wall: Double
    /// User and system time of all threads, in seconds.
    var cpu: Double
    /// Median time of a request, in seconds.
    var p50: Double
    /// 99th percentile of the time of a request, in seconds.
    var p99: Double
    /// Peak resident memory, in KiB.
    var peak_kib: Int
    /// Peak resident memory before the first request, in KiB.
    var idle_kib: Int
    /// Resident memory after the last request without pages of files, which all processes share, in
    /// KiB. `nil` if the system does not report it.
    var private_kib: Int?
}

enum Usage {
    /// User and system time of this process so far, in seconds.
    static var cpu: Double {
        let usage = current
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Peak resident memory of this process, in KiB.
    static var peakKiB: Int {
        #if os(Linux)
            Int(current.ru_maxrss)
        #else
            Int(current.ru_maxrss) / 1024
        #endif
    }

    /// Resident memory of this process without pages of files, in KiB. `nil` outside Linux.
    static var privateKiB: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }

    private static var current: rusage {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}

/// Sends requests with a fixed number in flight, and measures them.
struct Runner {
    let options: Options
    let client: any Client

    func measure() async -> Measurement {
        let idle = Usage.peakKiB
        _ = await run(options.warmUp ?? options.inFlight * 2)
        let clock = ContinuousClock()
        let (start, cpu) = (clock.now, Usage.cpu)
        let (latencies, failed) = await run(options.requests)
        let busy = Usage.cpu - cpu
        let wall = (clock.now - start) / .seconds(1)
        let sorted = latencies.sorted()
        func percentile(_ percent: Int) -> Double {
            guard !sorted.isEmpty else { return 0 }
            return Double(sorted[min(sorted.count - 1, sorted.count * percent / 100)]) / 1e9
        }
        return Measurement(
            requests: options.requests, failed: failed, wall: wall, cpu: busy, p50: percentile(50),
            p99: percentile(99), peak_kib: Usage.peakKiB, idle_kib: idle,
            private_kib: Usage.privateKiB)
    }

    private func run(_ count: Int) async -> (latencies: [UInt64], failed: Int) {
        let workers = min(options.inFlight, count)
        guard workers > 0 else { return ([], 0) }
        let client = client
        return await withTaskGroup(of: Latencies.self) { group in
            for worker in 0..<workers {
                let share = count / workers + (worker < count % workers ? 1 : 0)
                group.addTask(executorPreference: client.executor) { await client.run(share) }
            }
            var latencies: [UInt64] = []
            latencies.reserveCapacity(count)
            var failed = 0
            for await result in group {
                latencies += result.nanoseconds
                failed += result.failed
            }
            return (latencies, failed)
        }
    }
}

/// The latencies of requests that are sent one after the other.
final class Latencies: @unchecked Sendable {
    // Safe: the requests do not overlap, so neither do the calls of `add`.
    private(set) var nanoseconds: [UInt64] = []
    private(set) var failed = 0

    init(_ count: Int) { nanoseconds.reserveCapacity(count) }

    func add(since start: DispatchTime, _ error: (any Error)? = nil) {
        nanoseconds.append(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds)
        guard let error else { return }
        if failed == 0 { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
        failed += 1
    }
}
