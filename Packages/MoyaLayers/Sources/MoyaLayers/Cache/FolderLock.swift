import Foundation

/// An advisory lock (`flock`) on a file in a folder that several processes use.
struct FolderLock: Sendable {
    enum Outcome {
        /// Acquired, or the file system supports no locks.
        case acquired
        /// Another process held the lock for all attempts.
        case timedOut
    }

    private let file: URL
    /// Number of attempts to acquire the lock, a millisecond apart. Bounded, because a suspended
    /// process may hold the lock.
    private let attempts: Int

    init(folder: URL, attempts: Int = 2000) {
        file = folder.appendingPathComponent(Self.name)
        self.attempts = attempts
    }

    static let name = ".lock"

    /// Waits for the lock, and holds it while `body` runs. `body` also runs without the lock, with
    /// the outcome ``Outcome/timedOut``.
    func withLock<Value>(_ body: (Outcome) -> Value) -> Value {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // If the lock file cannot be created, no response can be stored either.
        guard descriptor >= 0 else { return body(.acquired) }
        // Closing the descriptor might not release the lock: a forked child has a copy of the
        // descriptor until it executes its program.
        defer {
            _ = flock(descriptor, LOCK_UN)
            _ = close(descriptor)
        }
        for _ in 0..<attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return body(.acquired) }
            guard errno == EWOULDBLOCK || errno == EINTR else { return body(.acquired) }
            usleep(1000)
        }
        return body(.timedOut)
    }
}
