#if CURL
import MoyaCore
import MoyaInternals

/// Counts a transport's exchanges, and lets tasks wait until there are none.
final class ExchangeCount: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
        var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())

    /// Begins an exchange. Returns `false` after ``close()``.
    func begin() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.count += 1
            return true
        }
    }

    /// Begins a part of a running exchange, which may outlast the rest of it.
    func beginPart() { state.withLock { $0.count += 1 } }

    /// Ends an exchange or a part. After the last one, resumes the waiting tasks.
    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? exchange(&state.waiting, with: [:]) : [:]
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Whether a task waits for the last exchange.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Lets no further exchange begin.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until no exchange is running, or the task is cancelled.
    ///
    /// The last exchange may end on the loop's thread at any time:
    ///
    /// 1. If ``end()`` takes the lock first, the count is 0 and the wait ends at once.
    /// 2. If the wait takes it first, the continuation is stored, and ``end()`` finds it.
    /// 3. If ``end()`` and a cancel both come, the first to take the lock removes the continuation
    ///    and resumes it. The second finds none.
    func waitUntilNone() async {
        // The wait throws if the task is cancelled, which ends it as well.
        try? await suspend { id, continuation in
            state.withLock { state in
                guard state.count > 0 else { return .success(()) }
                state.waiting[id] = continuation
                return nil
            }
        } giveUp: { id in
            state.withLock { $0.waiting.removeValue(forKey: id) }
        }
    }
}

/// The destination of a streamed response body.
struct ResponseStream {
    let channel: ResponseBodyWriter
    /// Counts the body as a part of its exchange, because the sender gets the response before the
    /// body is complete.
    let exchanges: ExchangeCount

    /// Ends the body for its reader, and its part of the exchange.
    func close(_ result: Result<TransportResponse, any Error>) {
        channel.finish(
            result.map { ResponseBodyWriter.Ending(trailers: $0.trailers, metrics: $0.metrics) })
        exchanges.end()
    }
}

extension ResponseStream {
    /// Creates the destination for the response to `transfer`. `owner` is kept alive as long as the
    /// body may be read.
    init(of transfer: Transfer, counting exchanges: ExchangeCount, keeping owner: any Sendable) {
        exchanges.beginPart()
        let loop = transfer.loop
        // The channel retains this transfer, which releases the channel at its end.
        //
        // The reader calls `resume` and `stop` on its own thread, while the loop's thread may be
        // ending the transfer. Both are commands, so the loop runs them in their order:
        //
        // 1. A command before the end: the transfer goes on, or is cancelled. The result that
        //    libcurl would have had is not waited for.
        // 2. The end before the command: `settle` has ended the channel, so the reader still gets
        //    what it holds. The command finds the phase `done`, and does nothing.
        let channel = ResponseBodyWriter(
            resume: { [transfer, loop] in loop.proceed(transfer, with: .receiving) },
            stop: { [transfer, loop] in withExtendedLifetime(owner) { loop.cancel(transfer) } })
        self.init(channel: channel, exchanges: exchanges)
    }
}
#endif
