import Foundation
import MoyaCore
import MoyaInternals

/// Writes a request body to a file.
///
/// A separate task reads the body, because its source may ignore cancellation and never end: a
/// cancelled caller does not wait for the source, and the file is removed. The lock is not held
/// while the file is written or closed, so a slow disk delays neither other bodies nor a
/// cancellation.
final class SpoolWriter: Sendable {
    private struct State {
        /// `nil` while a chunk is being written, and after the file has been closed.
        var file: NewFile?
        var waiter: CheckedContinuation<Void, Never>?
        /// First result: success, an error, a cancellation or the deadline.
        var ending: Result<Void, any Error>?
        /// Tasks that read the body and wait for the deadline.
        var tasks: [Task<Void, Never>] = []

        mutating func end(
            _ result: Result<Void, any Error>
        ) -> (CheckedContinuation<Void, Never>?, [Task<Void, Never>]) {
            guard ending == nil else { return (nil, []) }
            ending = result
            defer { tasks = [] }
            return (takeWaiter(), tasks)
        }

        /// Takes the file for writing, unless the body has ended.
        mutating func takeFile() -> NewFile? {
            ending == nil ? file.take() : nil
        }

        /// Puts the file back after writing. Returns the waiter if the body has ended meanwhile.
        mutating func giveBack(_ file: NewFile) -> CheckedContinuation<Void, Never>? {
            self.file = file
            return takeWaiter()
        }

        /// Returns the waiter if the body has ended and the file is not in use. The waiter closes
        /// the file.
        private mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            ending != nil && file != nil ? waiter.take() : nil
        }
    }

    private let state: Locked<State>

    init(_ file: NewFile) {
        state = Locked(State(file: file))
    }

    /// Writes `stream` to the file. Call once.
    ///
    /// - Throws: Errors of the stream; `URLError` if the file cannot be written, `deadline` passes
    ///   or the task is cancelled.
    func run(_ stream: RequestBodyStream, by deadline: Deadline?) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    guard state.ending == nil else { return true }
                    state.waiter = waiter
                    state.tasks.append(Task { await self.write(stream) })
                    if let deadline {
                        state.tasks.append(Task { await self.watch(deadline) })
                    }
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            cancel()
        }
        try await DiskWork.perform { try self.close() }
    }

    func cancel() {
        end(.failure(URLError(.cancelled)))
    }

    private func write(_ stream: RequestBodyStream) async {
        do {
            for try await chunk in try stream.makeChunks() {
                guard try append(chunk) else { return }
            }
            end(.success(()))
        } catch {
            end(.failure(error))
        }
    }

    /// Writes a chunk. Returns `false` if the body has ended.
    private func append(_ chunk: Data) throws -> Bool {
        guard var file = state.withLock({ $0.takeFile() }) else { return false }
        // Also after an error, because the waiter needs the file.
        defer { state.withLock { $0.giveBack(file) }?.resume() }
        try chunk.withUnsafeBytes { try file.write($0) }
        return true
    }

    /// Closes the file, and removes it unless the body is complete.
    private func close() throws {
        let (file, ending) = state.withLock { ($0.file.take(), $0.ending) }
        guard var file, let ending else { throw URLError(.unknown) }
        do {
            try ending.get()
        } catch {
            file.discard()
            throw error
        }
        try file.finish()
    }

    private func watch(_ deadline: Deadline) async {
        // Cancelled when the body ends. A later call of `end` has no effect.
        try? await Task.sleep(nanoseconds: deadline.nanosecondsLeft)
        end(.failure(deadline.error(url: nil)))
    }

    private func end(_ result: Result<Void, any Error>) {
        let (waiter, tasks) = state.withLock { $0.end(result) }
        waiter?.resume()
        for task in tasks { task.cancel() }
    }
}
