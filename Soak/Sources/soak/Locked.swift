import Synchronization

/// A value behind a mutex, which closures on several threads may hold.
final class Locked<State>: Sendable {
    private let mutex: Mutex<State>

    init(_ state: sending State) { mutex = Mutex(state) }

    func withLock<Result>(_ body: (inout sending State) throws -> sending Result) rethrows
        -> sending Result
    {
        try mutex.withLock(body)
    }
}
