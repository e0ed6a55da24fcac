import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A program that runs beside tests, without input, and with nobody listening to what it says.
///
/// Foundation's `Process` overruns its memory in a process that has more than a thousand descriptors open, as
/// tests of many connections have, and hands them all to the program.
///
/// For this repository's tests, not part of the public surface.
@_spi(MoyaInternals)
public final class Program: Sendable {
    public let identifier: pid_t
    private let status = Locked<Int32?>(nil)

    #if canImport(Darwin)
        private typealias Actions = posix_spawn_file_actions_t?
    #else
        private typealias Actions = posix_spawn_file_actions_t
    #endif
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<Actions>, Int32) -> Int32

    /// glibc has it since 2.34, but shows it to nobody who has not asked for its extensions.
    private static let closeFrom = dlsym(
        dlopen(nil, RTLD_NOW), "posix_spawn_file_actions_addclosefrom_np"
    ).map { unsafeBitCast($0, to: CloseFrom.self) }

    /// Runs the program at `path`.
    ///
    /// - Parameter environment: What it has beside this process's own variables.
    /// - Throws: `POSIXError` if there is no such program, or no room for it.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        _ = Self.closeFrom?(&actions, 3)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let texts = [[path] + arguments, variables.map { "\($0)=\($1)" }].map { texts in
            texts.map { strdup($0) } + [nil]
        }
        defer { for text in texts.joined() { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, path, &actions, nil, texts[0], texts[1])
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .ENOENT) }
        self.identifier = identifier
    }

    deinit { end() }

    /// Ends it, if it still runs, and waits for that.
    public func end() {
        guard isRunning else { return }
        kill(identifier, SIGKILL)
        _ = waitSynchronously()
    }

    public var isRunning: Bool {
        status.withLock { status in
            var new: Int32 = 0
            if status == nil, waitpid(identifier, &new, WNOHANG) == identifier { status = new }
            return status == nil
        }
    }

    /// Waits until it has ended. Returns whether it succeeded.
    public func hasSucceeded() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: self.waitSynchronously())
            }
        }
    }

    /// Waits until it has ended, on the calling thread. Returns whether it succeeded.
    public func waitSynchronously() -> Bool {
        status.withLock { status in
            var new: Int32 = 0
            while status == nil {
                if waitpid(identifier, &new, 0) == identifier {
                    status = new
                } else if errno != EINTR {
                    status = -1
                }
            }
            return status == 0
        }
    }
}
