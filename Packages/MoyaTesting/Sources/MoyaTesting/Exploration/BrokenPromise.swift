/// A promise that a run has not kept.
public struct BrokenPromise: Sendable, Hashable {
    /// What was to hold.
    public let promise: String
    /// What happened.
    public let reason: String
}
