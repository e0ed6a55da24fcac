import Foundation
import MoyaCore
import MoyaInternals
import MoyaStubs

/// The network of an explored flow: a transport to the server of the exploration, on which faults happen.
///
/// ```swift
/// let shop = MoyaProvider<Shop>(transport: network.retrying(.exponential(), clock: network.clock))
/// ```
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
public struct ExploredNetwork: Transport {
    /// The virtual time. Give it to layers and to what sleeps: `Task.sleep` sleeps in real time, and `Date()` is the real date.
    public let clock: TestClock
    let run: RunController
    let life: Int

    /// A folder for what a process leaves on its disk. It is there when a flow starts again after its process was killed, and
    /// is removed when the run is over.
    public var folder: URL { run.folder("kept") }

    /// A folder that is to be empty in the end: see ``ExploredRun/leavesNothingBehind()``.
    public var temporaryFolder: URL { run.folder("temporary") }

    /// Whether the process was killed before and starts again.
    public var isRestart: Bool { life > 0 }

    /// Tells the exploration something that the network cannot see.
    public func note(_ note: FlowNote) { run.add(note, life: life) }

    /// Expects that nothing keeps `object` once the run is over.
    public func expectRelease(of object: some AnyObject & Sendable, _ name: String? = nil) {
        run.watch(object, name: name ?? "\(type(of: object))", life: life)
    }

    /// Sends the request to the server of the exploration, unless a fault is in its way. Follows redirects.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Also in a detached task, and in one of another executor.
        try await withTaskExecutorPreference(run.executor) {
            try await SimulatedProcess.$current.withValue(run.simulation) {
                var loop: TransportResponse?
                return try await request.followingRedirects { hop in
                    if let loop { return loop }
                    let (response, repeats) = try await run.exchange(hop, life: life, clock: clock)
                    if repeats { loop = response }
                    return response
                }
            }
        }
    }
}
