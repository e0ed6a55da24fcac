/// What a simulation replaces of the process for the tasks that it runs, so that it repeats: random numbers, and the threads
/// of disk work. The fault explorer of MoyaTesting sets ``current``.
public struct SimulatedProcess: Sendable {
    /// The simulation of this task. `nil` outside of any.
    @TaskLocal public static var current: SimulatedProcess?

    private let random: Locked<SplitMix64>

    /// - Parameter seed: The random numbers of two simulations with one seed are the same.
    public init(seed: UInt64) { random = Locked(SplitMix64(seed: seed)) }

    /// The next 64 random bits.
    fileprivate func next() -> UInt64 { random.withLock { $0.next() } }
}

/// The random numbers of pauses: the system's, or those of the simulation that a task is part of. Not for secrets.
public struct PauseGenerator: RandomNumberGenerator {
    public init() {}

    public mutating func next() -> UInt64 {
        guard let simulation = SimulatedProcess.current else { return .random(in: 0...UInt64.max) }
        return simulation.next()
    }
}
