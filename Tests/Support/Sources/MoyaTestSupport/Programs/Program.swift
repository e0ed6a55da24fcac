import MoyaInternals

#if os(macOS) || os(Linux)
    import Foundation
    import MoyaCore

    /// A child process of the tests, without input. ``ProcessReaper`` kills it and its own child
    /// processes when the test process ends, even if that is killed.
    ///
    /// Replaces Foundation's `Process`, which overruns a buffer in processes with more than a
    /// thousand open descriptors, as in tests of many connections, and lets the child inherit all
    /// of them.
    public final class Program: Sendable {
        /// The process ID, which is also that of the process group.
        public let identifier: pid_t
        private let status = Locked<Int32?>(nil)
        /// Retained: closing the read end would kill the child with SIGPIPE.
        private let output: Pipe?

        /// Runs the program at `path`.
        ///
        /// - Parameters:
        ///   - environment: Variables to add to those of this process.
        ///   - output: Pipe for its standard output. `nil` discards the output. This initialiser
        ///     closes the pipe's write end in this process.
        /// - Throws: `POSIXError` if the program does not exist or cannot be started.
        public init(
            _ path: String, _ arguments: [String], environment: [String: String] = [:],
            output: Pipe? = nil
        ) throws {
            self.output = output
            let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            defer { try? output?.fileHandleForWriting.close() }
            identifier = try Self.spawn(
                path, arguments, variables: variables,
                output: output?.fileHandleForWriting.fileDescriptor)
            ProcessReaper.shared?.began(identifier)
        }

        deinit { end() }

        /// Kills the program and its child processes, and waits for its exit. Does nothing once it
        /// has exited.
        public func end() {
            guard isRunning else { return }
            kill(-identifier, SIGKILL)
            _ = hasSucceededSynchronously()
        }

        /// Whether the program has not exited yet.
        public var isRunning: Bool {
            status.withLock { status in
                reap(&status)
                return status == nil
            }
        }

        /// Waits for the program's exit, for `seconds` at most. Returns whether it exited with
        /// status 0 within that time.
        public func hasSucceeded(within seconds: TimeInterval = 60) async -> Bool {
            try? await until(within: seconds) { !isRunning }
            return status.withLock { $0 == 0 }
        }

        /// Like ``hasSucceeded(within:)``, but blocks the calling thread.
        public func hasSucceededSynchronously(within seconds: TimeInterval = 60) -> Bool {
            let end = DispatchTime.now() + seconds
            while isRunning, DispatchTime.now() < end { usleep(1000) }
            return status.withLock { $0 == 0 }
        }

        private func reap(_ status: inout Int32?) {
            guard status == nil else { return }
            var new: Int32 = 0
            let found = waitpid(identifier, &new, WNOHANG)
            if found == identifier {
                status = new
            } else if found < 0, errno != EINTR {
                status = -1
            }
            if status != nil { ProcessReaper.shared?.ended(identifier) }
        }
    }
#endif
