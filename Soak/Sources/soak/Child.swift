import Foundation
import MoyaCore

/// This program once more, in a process of its own.
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

    /// Kills it. Returns `SIGKILL`, or its exit status where it was quicker.
    func end() async -> Int32 {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        return await exit()
    }

    /// Waits for its end. Returns its exit status, or the signal that ended it.
    func exit() async -> Int32 {
        for await status in exits { return status }
        return -1
    }
}
