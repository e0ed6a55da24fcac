import Foundation
import MoyaCore

/// A child process that runs this program with other arguments.
final class Child: Sendable {
    private let process: Process
    private let exits: AsyncStream<Int32>

    init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        let (exits, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        self.process = process
        self.exits = exits
        try process.run()
    }

    /// Kills the process. Returns `SIGKILL`, or the exit status if the process exited first.
    func end() async -> Int32 {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        return await exit()
    }

    /// Waits until the process has ended. Returns its exit status, or the signal that ended it.
    func exit() async -> Int32 {
        for await status in exits { return status }
        return -1
    }
}
