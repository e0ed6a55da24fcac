/// Replaces random numbers and disk threads in the tasks of a simulation, so that it is
/// reproducible. The fault explorer of MoyaTesting sets ``current``.
public struct SimulatedProcess: Sendable {
    /// The simulation of the current task. `nil` outside a simulation.
    @TaskLocal public static var current: SimulatedProcess?

    private let random: Locked<SplitMix64>

    /// - Parameter seed: Simulations with the same seed have the same random numbers.
    public init(seed: UInt64) { random = Locked(SplitMix64(seed: seed)) }

    /// Returns the next 64 random bits.
    fileprivate func next() -> UInt64 { random.withLock { $0.next() } }
}

/// Random numbers for delays: the system's, or those of the current simulation. Not for secrets.
public struct PauseGenerator: RandomNumberGenerator {
    /// Creates a generator.
    public init() {}

    public mutating func next() -> UInt64 {
        guard let simulation = SimulatedProcess.current else { return .random(in: 0...UInt64.max) }
        return simulation.next()
    }
}
