import Foundation

/// A value that is only reached while a lock is held.
///
/// Shared between this repository's modules, not part of the public surface.
@_spi(MoyaInternals)
public struct Locked<State>: @unchecked Sendable {
    // Safe to share: the value is private and touched in `withLock` alone, under the lock beside it.

    /// Lock and value in one block of memory: most exchanges make several of them.
    @usableFromInline
    final class Storage: ManagedBuffer<State, PlatformLock> {
        deinit {
            withUnsafeMutablePointerToElements { $0.pointee.destroy() }
        }
    }

    @usableFromInline
    let storage: ManagedBuffer<State, PlatformLock>

    @inlinable
    public init(_ state: State) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { $0.initialize(to: PlatformLock()) }
            return state
        }
        storage.withUnsafeMutablePointerToElements { $0.pointee.prepare() }
    }

    /// Runs `body` with exclusive access to the value. Do no I/O and call nobody's closure in it.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The storage lives as long as this function runs, and the pointers do not leave it.
        let (state, lock) = storage.withUnsafeMutablePointers { ($0, $1) }
        lock.pointee.lock()
        defer {
            lock.pointee.unlock()
            withExtendedLifetime(storage) {}
        }
        return try body(&state.pointee)
    }
}

/// The system's mutex. Stays where it was prepared.
@usableFromInline
struct PlatformLock {
    #if canImport(Darwin)
        @usableFromInline var mutex = os_unfair_lock()

        @usableFromInline init() {}
        @inlinable mutating func prepare() {}
        @inlinable mutating func destroy() {}
        @inlinable mutating func lock() { os_unfair_lock_lock(&mutex) }
        @inlinable mutating func unlock() { os_unfair_lock_unlock(&mutex) }
    #else
        @usableFromInline var mutex = pthread_mutex_t()

        @usableFromInline init() {}
        @inlinable mutating func prepare() { pthread_mutex_init(&mutex, nil) }
        @inlinable mutating func destroy() { pthread_mutex_destroy(&mutex) }
        @inlinable mutating func lock() { pthread_mutex_lock(&mutex) }
        @inlinable mutating func unlock() { pthread_mutex_unlock(&mutex) }
    #endif
}
