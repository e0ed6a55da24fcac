import Foundation

/// A value that is only reached while a lock is held.
///
/// Shared between this repository's modules, not part of the public surface.
@_spi(MoyaInternals)
public final class Locked<State>: @unchecked Sendable {
    // Safe to share: `state` is private and touched in `withLock` alone, under `lock`.
    private let lock = NSLock()
    private var state: State

    public init(_ state: State) {
        self.state = state
    }

    /// Runs `body` with exclusive access to the value. Do no I/O and call nobody's closure in it.
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
