import MoyaInternals

#if os(macOS) || os(Linux)
    import Foundation
    import MoyaCore

    /// A program that runs beside tests, without input. It ends with the process of the tests, even if that is killed,
    /// and so does what it starts itself.
    ///
    /// Foundation's `Process` overruns its memory in a process that has more than a thousand descriptors open, as
    /// tests of many connections have, and hands them all to the program.
    public final class Program: Sendable {
        /// The program's, and that of its process group.
        public let identifier: pid_t
        private let status = Locked<Int32?>(nil)
        /// Retained: closing the read end would kill the child with SIGPIPE.
        private let output: Pipe?

        /// Runs the program at `path`.
        ///
        /// - Parameters:
        ///   - environment: What it has beside this process's own variables.
        ///   - output: Where to what it says goes. Nobody listens to it otherwise. The end for writing is the
        ///     program's from then on.
        /// - Throws: `POSIXError` if there is no such program, or no room for it.
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

        /// Ends it and what it has started, if it still runs, and waits for that.
        public func end() {
            guard isRunning else { return }
            kill(-identifier, SIGKILL)
            _ = hasSucceededSynchronously()
        }

        public var isRunning: Bool {
            status.withLock { status in
                reap(&status)
                return status == nil
            }
        }

        /// Waits until the program has ended, for `seconds` at most. Returns whether it succeeded in that time.
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
