import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A body on its way into a file.
///
/// A task of its own reads it. Where that comes from may not listen to a task that is cancelled, and may never say
/// another word: nobody waits for it then, and the file is gone. A disk that is slow holds up this body alone, and
/// not who cancels it: nothing is written or closed under the lock.
final class SpoolWriting: Sendable {
    private struct State {
        /// `nil` while a piece is written to it, and once it is closed.
        var file: NewFile?
        var waiter: CheckedContinuation<Void, Never>?
        /// What the writing came to: whatever is first.
        var ending: Result<Void, any Error>?
        /// What reads the body, and what watches the time.
        var tasks: [Task<Void, Never>] = []

        mutating func end(
            _ result: Result<Void, any Error>
        ) -> (CheckedContinuation<Void, Never>?, [Task<Void, Never>]) {
            guard ending == nil else { return (nil, []) }
            ending = result
            defer { tasks = [] }
            return (takeWaiter(), tasks)
        }

        /// Returns the file, if there is more to write.
        mutating func takeFile() -> NewFile? {
            ending == nil ? file.take() : nil
        }

        /// Takes the file back. Returns who waits for it.
        mutating func giveBack(_ file: NewFile) -> CheckedContinuation<Void, Never>? {
            self.file = file
            return takeWaiter()
        }

        /// Returns who closes the file, once all is over and nobody else has it.
        private mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            ending != nil && file != nil ? waiter.take() : nil
        }
    }

    private let state: Locked<State>

    init(_ file: NewFile) {
        state = Locked(State(file: file))
    }

    /// Writes `stream` to the file. Once.
    ///
    /// - Throws: What the stream throws; `URLError` for a file that cannot be written, and when `deadline` comes or
    ///   the task is cancelled meanwhile.
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

    /// Returns whether to go on.
    private func append(_ chunk: Data) throws -> Bool {
        guard var file = state.withLock({ $0.takeFile() }) else { return false }
        // Whatever comes of it: who waits is waiting for the file.
        defer { state.withLock { $0.giveBack(file) }?.resume() }
        try chunk.withUnsafeBytes { try file.write($0) }
        return true
    }

    /// Closes the file, which stays if it is whole.
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
        // Cancelled when all is over, which nothing changes any more.
        try? await Task.sleep(nanoseconds: deadline.nanosecondsLeft)
        end(.failure(deadline.error(url: nil)))
    }

    private func end(_ result: Result<Void, any Error>) {
        let (waiter, tasks) = state.withLock { $0.end(result) }
        waiter?.resume()
        for task in tasks { task.cancel() }
    }
}
