import Foundation

/// An advisory lock (`flock`) on a file in a folder, between the processes that use the folder.
struct FolderLock: Sendable {
    enum Outcome {
        /// Acquired, or the file system supports no locks.
        case acquired
        /// Another process held the lock until this one gave up.
        case timedOut
    }

    private let file: URL
    /// Attempts to acquire the lock, a millisecond apart. Bounded, as a suspended process may hold the lock.
    private let attempts: Int

    init(folder: URL, attempts: Int = 2000) {
        file = folder.appendingPathComponent(Self.name)
        self.attempts = attempts
    }

    static let name = ".lock"

    /// Waits for the lock, and holds it while `body` runs.
    func withLock<Value>(_ body: (Outcome) -> Value) -> Value {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // Where no file can be made, nothing can be stored either.
        guard descriptor >= 0 else { return body(.acquired) }
        // Closing alone might not unlock it: a child process that has been forked and does not run its program yet
        // has the descriptor too.
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
