#if CURL
import Foundation
import MoyaCore
import MoyaInternals

/// Brings the pieces of a body, which may come at any time, to libcurl, which asks for them on the loop's
/// thread and must not wait.
///
/// A task of its own reads one piece ahead.
final class BodyFeed: Sendable {
    /// What there is for libcurl now.
    enum Supply {
        case bytes(Int)
        /// Nothing yet: `wake` is called when there is.
        case nothing
        case end
        case failure(any Error)
    }

    fileprivate struct State {
        var current = Data()
        var next: Data?
        var ending: Result<Void, any Error>?
        var isStarving = false
        var isStopped = false
        /// Waits until `next` is taken.
        var writer: UnsafeContinuation<Void, Never>?
        /// Reads the stream, which may be silent for ever.
        var reader: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Called when bytes, the end or an error have come that libcurl has asked for in vain.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Begins to read `stream`. Once.
    func start(_ stream: RequestBodyStream) {
        let reader = Task {
            do {
                for try await chunk in try stream.makeChunks() {
                    guard await put(chunk) else { return }
                }
                end(.success(()))
            } catch {
                end(.failure(error))
            }
        }
        // The task may run before this line, and `stop` may come before it: then `stop` finds no reader to cancel, and this line
        // finds that it has come. Where `stop` comes later, it finds the reader.
        let isStopped = state.withLock { state in
            state.reader = reader
            return state.isStopped
        }
        if isStopped { reader.cancel() }
    }

    /// Lets go of what is still to come.
    func stop() {
        let (writer, reader) = state.withLock { state in
            state.isStopped = true
            state.current = Data()
            state.next = nil
            return (state.takeWriter(), state.reader)
        }
        writer?.resume()
        reader?.cancel()
    }

    /// Copies the next bytes to `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Supply {
        let (supply, writer) = state.withLock {
            state -> (Supply, UnsafeContinuation<Void, Never>?) in
            var writer: UnsafeContinuation<Void, Never>?
            if state.current.isEmpty, let next = state.next {
                state.current = next
                state.next = nil
                writer = state.takeWriter()
            }
            guard state.current.isEmpty else {
                let count = min(buffer.count, state.current.count)
                state.current.copyBytes(to: buffer, count: count)
                state.current.removeFirst(count)
                return (.bytes(count), writer)
            }
            switch state.ending {
            case .success: return (.end, nil)
            case .failure(let error): return (.failure(error), nil)
            case nil:
                state.isStarving = true
                return (.nothing, nil)
            }
        }
        writer?.resume()
        return supply
    }

    /// Whether there are bytes that libcurl has not asked for, as far as is known without waiting.
    func hasMore() throws -> Bool {
        try state.withLock { state in
            if case .failure(let error) = state.ending { throw error }
            return !state.current.isEmpty || state.next != nil
        }
    }

    /// Leaves `chunk` for libcurl and waits for the one before to be taken. Returns whether to go on.
    private func put(_ chunk: Data) async -> Bool {
        if chunk.isEmpty { return !isStopped }
        let wasStarving = state.withLock { state in
            state.next = chunk
            return state.takeStarving()
        }
        if wasStarving { wake() }
        // libcurl may take the chunk between the two locks: then there is nothing to wait for. Otherwise `read` or `stop`, the
        // first to take the continuation out of the state under its lock, resumes it, once.
        await withUnsafeContinuation { continuation in
            let isFree = state.withLock { state in
                if state.next == nil || state.isStopped { return true }
                state.writer = continuation
                return false
            }
            if isFree { continuation.resume() }
        }
        return !isStopped
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    private func end(_ ending: Result<Void, any Error>) {
        let wasStarving = state.withLock { state in
            state.ending = ending
            return state.takeStarving()
        }
        if wasStarving { wake() }
    }
}

extension BodyFeed.State {
    fileprivate mutating func takeWriter() -> UnsafeContinuation<Void, Never>? {
        defer { writer = nil }
        return writer
    }

    fileprivate mutating func takeStarving() -> Bool {
        defer { isStarving = false }
        return isStarving
    }
}
#endif
