import Foundation
import MoyaCore
import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels many requests that wait for a connection. Measures the time from the first cancellation
/// to the end of the last request.
struct Cancelling {
    static let name = "cancels"

    let options: Options
    /// URL of a server that accepts connections and never answers.
    let url: URL

    func measure() async throws -> Measurement {
        let idle = Usage.peakKiB
        var configuration = CurlTransport.Configuration()
        configuration.maxConnections = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = TransportRequest(URLRequest(url: url, timeoutInterval: 600))
        let begun = Count()
        let tasks = (0..<options.requests).map { _ in
            Task {
                begun.add()
                _ = try await transport.send(request)
            }
        }
        // Each task needs a moment from its start until its request is in the queue.
        while begun.value < tasks.count { try await Task.sleep(for: .milliseconds(100)) }
        try await Task.sleep(for: .seconds(1))
        let clock = ContinuousClock()
        let (start, cpu) = (clock.now, Usage.cpu)
        for task in tasks { task.cancel() }
        var failed = 0
        for task in tasks {
            guard case .failure(URLError.cancelled) = await task.result else {
                failed += 1
                continue
            }
        }
        let (wall, busy) = ((clock.now - start) / .seconds(1), Usage.cpu - cpu)
        await transport.shutdown(draining: 0)
        return Measurement(
            requests: tasks.count, failed: failed, wall: wall, cpu: busy, p50: wall, p99: wall,
            peak_kib: Usage.peakKiB, idle_kib: idle)
    }
}

/// A counter for any thread.
private final class Count: @unchecked Sendable {
    // Safe: `lock` guards `count`, the only mutable state.
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
}
