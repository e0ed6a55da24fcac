import Foundation

/// A value protected by a lock.
///
/// Shared between the modules of this repository, not part of the public interface.
public struct Locked<State>: @unchecked Sendable {
    // Safe: the value is private and accessed only in `withLock`, under the lock. Values enter and
    // leave as `sending`, so that no reference to the protected value remains outside the lock.

    /// Value and lock in one allocation: most exchanges create several.
    @usableFromInline
    final class Storage: ManagedBuffer<State, PlatformLock> {
        deinit {
            withUnsafeMutablePointerToElements { PlatformLock.destroy($0) }
        }
    }

    @usableFromInline
    let storage: ManagedBuffer<State, PlatformLock>
    // Pointers into the storage, computed once: computing them reads the header, an access that
    // would have to be under the lock.
    @usableFromInline
    let state: UnsafeMutablePointer<State>
    @usableFromInline
    let lock: UnsafeMutablePointer<PlatformLock>

    /// Creates a protected value.
    @inlinable
    public init(_ state: sending State) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { PlatformLock.create($0) }
            return state
        }
        (self.state, lock) = storage.withUnsafeMutablePointers { ($0, $1) }
    }

    /// Calls `body` with exclusive access to the value. `body` should not perform I/O or call
    /// closures of callers, except to keep them in order.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        PlatformLock.lock(lock)
        defer {
            PlatformLock.unlock(lock)
            // The pointers do not retain the storage.
            withExtendedLifetime(storage) {}
        }
        return try body(&state.pointee)
    }
}

/// A few locks that all objects share, which saves each object the allocation of a lock. For a few
/// instructions at a time, because another object may wait for the same lock.
public enum SharedLocks {
    @usableFromInline static let count = 64
    @usableFromInline static nonisolated(unsafe) let locks = {
        let locks = UnsafeMutablePointer<PlatformLock>.allocate(capacity: count)
        for index in 0..<count { PlatformLock.create(locks + index) }
        return locks
    }()

    /// Calls `body` with exclusive access to the state of `object`. `body` must only read or set
    /// it: what it calls could need the lock of another object, which may be the same.
    @inlinable
    public static func withLock<Result>(of object: AnyObject, _ body: () -> Result) -> Result {
        // Objects are aligned to 16 bytes.
        let lock = locks + (Int(bitPattern: ObjectIdentifier(object)) >> 4 & (count - 1))
        PlatformLock.lock(lock)
        defer { PlatformLock.unlock(lock) }
        return body()
    }
}

/// The system's mutex. Accessed only through its address: as a Swift value, locking it from two
/// threads would violate exclusivity.
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
