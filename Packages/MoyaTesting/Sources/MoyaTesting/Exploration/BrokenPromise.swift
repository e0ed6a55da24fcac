/// A promise that a run has broken.
struct BrokenPromise: Sendable, Hashable {
    /// The promise: the condition that should hold.
    let promise: String
    /// Observation that contradicts the promise.
    let reason: String
}
