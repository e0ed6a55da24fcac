#if CURL
import MoyaCore
import MoyaInternals

/// Passes the chunks of an asynchronous request body to libcurl, whose read callback runs on the
/// loop's thread and must not block.
///
/// A separate task reads one chunk ahead.
final class BodyFeed: Sendable {
    private struct State {
        var current = Data()
        var next: Data?
        var ending: Result<Void, any Error>?
        /// Whether libcurl has asked for bytes in vain.
        var isStarving = false
        var isStopped = false
        /// The task in `put`, which waits until `next` is taken.
        var writer: UnsafeContinuation<Void, Never>?
        /// The task that reads the stream. The stream may never produce an element.
        var reader: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Called when bytes, the end or an error arrive after a read that found
    ///   none.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Starts to read `stream`. Call it once.
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
        // The task may run before this line. If `stop` ran before it too, `stop` found no reader to
        // cancel, and this line finds `isStopped`. If `stop` runs later, it finds the reader.
        let isStopped = state.withLock { state in
            state.reader = reader
            return state.isStopped
        }
        if isStopped { reader.cancel() }
    }

    /// Stops reading and discards the remaining bytes.
    func stop() {
        let (writer, reader) = state.withLock { state in
            state.isStopped = true
            state.current = Data()
            state.next = nil
            return (state.writer.take(), state.reader)
        }
        writer?.resume()
        reader?.cancel()
    }

    /// Copies the next bytes into `buffer`. Returns their number, 0 at the end, and `nil` if there
    /// are no bytes yet: `wake` is called when there are.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, writer) = try state.withLock {
            state -> (Int?, UnsafeContinuation<Void, Never>?) in
            var writer: UnsafeContinuation<Void, Never>?
            if state.current.isEmpty, let next = state.next.take() {
                state.current = next
                writer = state.writer.take()
            }
            guard state.current.isEmpty else {
                let count = min(buffer.count, state.current.count)
                state.current.copyBytes(to: buffer, count: count)
                state.current.removeFirst(count)
                return (count, writer)
            }
            try state.ending?.get()
            state.isStarving = state.ending == nil
            return (state.isStarving ? nil : 0, nil)
        }
        writer?.resume()
        return count
    }

    /// Whether bytes are left that libcurl has not read, as far as is known without waiting.
    func hasMore() throws -> Bool {
        try state.withLock { state in
            if case .failure(let error) = state.ending { throw error }
            return !state.current.isEmpty || state.next != nil
        }
    }

    /// Stores `chunk` for libcurl, and waits until it is taken. Returns `false` if the feed has
    /// been stopped.
    private func put(_ chunk: Data) async -> Bool {
        if chunk.isEmpty { return !isStopped }
        let wasStarving = state.withLock { state in
            state.next = chunk
            return exchange(&state.isStarving, with: false)
        }
        if wasStarving { wake() }
        // libcurl may take the chunk between the two locks: then there is no need to wait.
        // Otherwise `read` or `stop` resumes the continuation, whichever takes it out of the state
        // first.
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
            return exchange(&state.isStarving, with: false)
        }
        if wasStarving { wake() }
    }
}
#endif
