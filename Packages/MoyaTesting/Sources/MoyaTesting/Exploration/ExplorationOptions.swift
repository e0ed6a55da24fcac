import Foundation

/// How far an exploration goes, and how its network behaves where nothing fails.
public struct ExplorationOptions: Sendable {
    /// How many runs there are at most. Which ones are left out is drawn by ``seed``, and the report counts them. Shrinking
    /// the schedules of findings takes as many more at most, which are not counted.
    public var runs = 20_000
    /// Seconds of real time after which no further run begins. The report counts what is left out.
    public var seconds: TimeInterval = 120
    /// Draws the runs where not all of them fit.
    public var seed: UInt64 = 1
    /// Virtual seconds until the server acts on a request.
    public var latency: TimeInterval = 0.1
    /// Virtual seconds that what is in the background may go on after the flow has returned.
    public var grace: TimeInterval = 1
    /// Virtual seconds after which a flow that is not over counts as one that never is.
    public var virtualLimit: TimeInterval = 3600

    /// The defaults.
    public init() {}
}
