import Foundation

/// A value that is only reached while a lock is held.
///
/// Shared between this repository's modules, not part of the public surface.
public struct Locked<State>: @unchecked Sendable {
    // Safe to share: the value is private and touched in `withLock` alone, under the lock beside it. What goes in or
    // comes out is sent, so that no reference remains around the lock.

    /// Value and lock in one block of memory: most exchanges make several of them.
    @usableFromInline
    final class Storage: ManagedBuffer<State, PlatformLock> {
        deinit {
            withUnsafeMutablePointerToElements { PlatformLock.destroy($0) }
        }
    }

    @usableFromInline
    let storage: ManagedBuffer<State, PlatformLock>
    // Into the storage. Asked for once: asking looks at the value, which takes the lock.
    @usableFromInline
    let state: UnsafeMutablePointer<State>
    @usableFromInline
    let lock: UnsafeMutablePointer<PlatformLock>

    @inlinable
    public init(_ state: sending State) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { PlatformLock.create($0) }
            return state
        }
        (self.state, lock) = storage.withUnsafeMutablePointers { ($0, $1) }
    }

    /// Runs `body` with exclusive access to the value. Do no I/O and call no closure of a caller in it.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        PlatformLock.lock(lock)
        defer {
            PlatformLock.unlock(lock)
            // The pointers do not keep it alive.
            withExtendedLifetime(storage) {}
        }
        return try body(&state.pointee)
    }
}

/// The system's mutex. Only ever reached through its address: to Swift, two threads that lock it would
/// otherwise both be changing it.
@usableFromInline
struct PlatformLock {
    #if canImport(Darwin)
        @usableFromInline typealias Mutex = os_unfair_lock
    #else
        @usableFromInline typealias Mutex = pthread_mutex_t
    #endif

    @usableFromInline var mutex = Mutex()

    @usableFromInline init() {}

    @inlinable
    static func address(_ lock: UnsafeMutablePointer<PlatformLock>) -> UnsafeMutablePointer<Mutex> {
        UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Mutex.self)
    }

    @inlinable
    static func create(_ lock: UnsafeMutablePointer<PlatformLock>) {
        lock.initialize(to: PlatformLock())
        #if !canImport(Darwin)
            pthread_mutex_init(address(lock), nil)
        #endif
    }

    @inlinable
    static func destroy(_ lock: UnsafeMutablePointer<PlatformLock>) {
        #if !canImport(Darwin)
            pthread_mutex_destroy(address(lock))
        #endif
    }

    @inlinable
    static func lock(_ lock: UnsafeMutablePointer<PlatformLock>) {
        #if canImport(Darwin)
            os_unfair_lock_lock(address(lock))
        #else
            pthread_mutex_lock(address(lock))
        #endif
    }

    @inlinable
    static func unlock(_ lock: UnsafeMutablePointer<PlatformLock>) {
        #if canImport(Darwin)
            os_unfair_lock_unlock(address(lock))
        #else
            pthread_mutex_unlock(address(lock))
        #endif
    }
}
