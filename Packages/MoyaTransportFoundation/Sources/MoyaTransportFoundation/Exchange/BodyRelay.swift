import Foundation
import MoyaCore

/// Passes a response body to its reader. Bytes that arrive faster than they are read wait in a
/// backlog.
///
/// When the reader falls behind, the relay suspends the exchange, and the backlog takes the bytes
/// already in flight. Without platform support for suspending, the backlog takes all bytes.
/// URLSession's callback must not block instead: on Linux, all sessions of the process share one
/// queue.
final class BodyRelay: @unchecked Sendable {
    // Safe: the mutable state is accessed on `queue` only.
    private var backlog: Backlog
    /// Bytes removed from the backlog that the channel did not accept.
    private var refused: Data?
    private var ending: Result<ResponseBodyWriter.Ending, any Error>?
    private var isHeld = false
    /// Channel to the reader. Its closures retain this relay until the channel is released at the
    /// end.
    private var channel: ResponseBodyWriter?

    private let queue = DispatchQueue(label: "MoyaTransportFoundation.BodyRelay")
    private let hold: @Sendable (Bool) -> Void
    private let stop: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: Maximum number of bytes in the backlog.
    ///   - hold: Called with `true` when the reader falls behind, and with `false` when it has
    ///     caught up.
    ///   - stop: Called when the reader stops reading, or the backlog fails.
    init(
        limit: Int, hold: @escaping @Sendable (Bool) -> Void, stop: @escaping @Sendable () -> Void
    ) {
        backlog = Backlog(limit: max(limit, 1))
        self.hold = hold
        self.stop = stop
    }

    deinit { backlog.discard() }

    /// Creates the channel to the reader. Call once.
    func open() -> ResponseBodyWriter {
        let channel = ResponseBodyWriter(
            resume: { self.queue.async { self.proceed() } },
            stop: {
                self.abandon()
                self.stop()
            })
        queue.async { self.channel = channel }
        return channel
    }

    /// Passes the next bytes to the reader or to the backlog.
    ///
    /// - Throws: `URLError` if the backlog is full or fails.
    func take(_ data: Data) throws(URLError) {
        try queue.sync { Result { () throws(URLError) in try hand(over: data) } }.get()
    }

    /// Ends the body. The reader still receives the bytes in the backlog.
    func finish(_ result: Result<ResponseBodyWriter.Ending, any Error>) {
        queue.async {
            self.ending = result
            if !self.isHeld { self.close(result) }
        }
    }

    /// Discards the bytes that have not been read.
    func abandon() {
        queue.async {
            self.backlog.discard()
            self.refused = nil
            self.channel = nil
        }
    }

    // MARK: On the queue

    private func hand(over data: Data) throws(URLError) {
        guard let channel else { return }
        guard isHeld || !data.withUnsafeBytes({ channel.offer($0) }) else { return }
        try data.span.withUnsafeBytes { bytes throws(URLError) in try backlog.append(bytes) }
        guard !isHeld else { return }
        isHeld = true
        hold(true)
    }

    private func proceed() {
        guard isHeld, let channel else { return }
        do {
            while refused != nil || !backlog.isEmpty {
                let bytes = try refused ?? backlog.removeFirst(256 << 10)
                let isTaken = bytes.withUnsafeBytes { channel.offer($0) }
                refused = isTaken ? nil : bytes
                guard isTaken else { return }
            }
        } catch {
            close(.failure(error))
            return stop()
        }
        isHeld = false
        if let ending { close(ending) } else { hold(false) }
    }

    private func close(_ result: Result<ResponseBodyWriter.Ending, any Error>) {
        channel?.finish(result)
        channel = nil
    }
}
