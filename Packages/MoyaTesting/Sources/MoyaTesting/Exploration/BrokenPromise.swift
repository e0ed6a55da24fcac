/// A promise that a run has broken.
public struct BrokenPromise: Sendable, Hashable {
    /// The promise: the condition that should hold.
    public let promise: String
    /// What happened instead.
    public let reason: String
}
