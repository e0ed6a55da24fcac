import Synchronization

/// A mutex in a class, so that escaping closures can capture it.
final class Locked<State>: Sendable {
    private let mutex: Mutex<State>

    init(_ state: sending State) { mutex = Mutex(state) }

    func withLock<Result>(_ body: (inout sending State) throws -> sending Result) rethrows
        -> sending Result
    {
        try mutex.withLock(body)
    }
}
