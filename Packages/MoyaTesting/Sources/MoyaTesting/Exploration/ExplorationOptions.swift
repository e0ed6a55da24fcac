import Foundation

/// Limits of an exploration, and the timing of its network.
public struct ExplorationOptions: Sendable {
    /// Number of runs. Runs with at most one fault are made in any case. The ``seed`` decides which
    /// runs with more faults take the rest of this number, or a quarter of it if that is more. The
    /// report counts the runs that are left out. Shrinking the schedules of findings takes up to as
    /// many runs again, which are not counted.
    public var runs = 20_000
    /// Seconds of real time after which no further run begins, not even one with a single fault.
    /// The report counts the runs that are left out.
    public var seconds: TimeInterval = 120
    /// Seed of the choice of runs, where not all of them fit, and of the random numbers in a run.
    public var seed: UInt64 = 1
    /// Virtual seconds until the server acts on a request.
    public var latency: TimeInterval = 0.1
    /// Virtual seconds that background tasks may continue after the flow has returned.
    public var grace: TimeInterval = 1
    /// Virtual seconds after which a flow counts as never ending.
    public var virtualLimit: TimeInterval = 3600

    /// Whether the flow may throw, not end, or send no request in the run without faults. By
    /// default, the test then fails, and no fault is tried.
    public var mayFailWithoutFaults = false

    /// The defaults.
    public init() {}
}
