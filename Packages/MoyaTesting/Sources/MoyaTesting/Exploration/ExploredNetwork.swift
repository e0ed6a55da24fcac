import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

/// Network of an explored flow: a transport to the exploration's server, with injected faults.
///
/// ```swift
/// let shop = MoyaProvider<Shop>(transport: network.retrying(.exponential(), clock: network.clock))
/// ```
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
public struct ExploredNetwork: Transport {
    /// The virtual clock. Pass it to layers and to code that sleeps: `Task.sleep` sleeps in real
    /// time, and `Date()` is the real date.
    public let clock: TestClock
    let run: RunController
    let life: Int

    /// Folder for files that outlive the process. They are still there when the flow starts again
    /// after a kill. Removed when the run is over.
    public var folder: URL { run.folder("kept") }

    /// Folder that should be empty when the flow ends: see ``ExploredRun/leavesNothingBehind()``.
    public var temporaryFolder: URL { run.folder("temporary") }

    /// Whether the process was killed and has started again.
    public var isRestart: Bool { life > 0 }

    /// Records an event that the network cannot observe.
    public func note(_ note: FlowNote) { run.add(note, life: life) }

    /// Expects `object` to be released when the run is over: see
    /// ``ExploredRun/leavesNothingBehind()``.
    public func expectRelease(of object: some AnyObject & Sendable, _ name: String? = nil) {
        run.watch(object, name: name ?? "\(type(of: object))", life: life)
    }

    /// Sends the request to the exploration's server, unless a fault prevents it. Follows
    /// redirects.
    ///
    /// - Throws: The error of the fault or of the server; `URLError(.cancelled)`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Detached tasks and tasks on other executors get the preference here.
        try await withTaskExecutorPreference(run.executor) {
            try await DiskWork.$start.withValue(RunController.startDiskWork) {
                try await request.keepingDeadline { request in
                    var loop: TransportResponse?
                    return try await request.followingRedirects { hop in
                        if let loop { return loop }
                        let (response, repeats) = try await run.exchange(
                            hop, life: life, clock: clock)
                        if repeats { loop = response }
                        return response
                    }
                }
            }
        }
    }
}
