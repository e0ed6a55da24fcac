import Foundation

/// A lock of a folder that all processes that use it take turns with: a file in there.
struct FolderLock: Sendable {
    /// What came of asking for a turn.
    enum Turn {
        /// Nobody else has it, or the file system knows no locks.
        case ours
        /// Another process had it for as long as this one was willing to wait.
        case missed
    }

    private let file: URL
    /// How many times a turn is asked for, a millisecond apart. There is an end to it because a process that is
    /// stopped during its turn must not stop the others.
    private let attempts: Int

    init(folder: URL, attempts: Int = 2000) {
        file = folder.appendingPathComponent(Self.name)
        self.attempts = attempts
    }

    static let name = ".lock"

    /// Waits for a turn, which is over when `body` is.
    func withTurn<Value>(_ body: (Turn) -> Value) -> Value {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // Where no file can be made, nothing can be stored either.
        guard descriptor >= 0 else { return body(.ours) }
        // Closing alone might not unlock it: a child process that has been forked and does not run its program yet
        // has the descriptor too.
        defer {
            _ = flock(descriptor, LOCK_UN)
            _ = close(descriptor)
        }
        for _ in 0..<attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return body(.ours) }
            guard errno == EWOULDBLOCK || errno == EINTR else { return body(.ours) }
            usleep(1000)
        }
        return body(.missed)
    }
}
