import Foundation
import MoyaCore

/// Hands a body on to the one who reads it. What comes faster than it is read waits in a backlog.
///
/// The exchange is held back meanwhile, and the backlog takes what is on its way by then. Where the platform cannot
/// hold it back, the backlog takes everything: to wait where URLSession reports would hold up every session of the
/// process, which share one queue on Linux.
final class BodyRelay: @unchecked Sendable {
    // Safe to share: what changes is touched on `queue` alone.
    private var backlog: Backlog
    /// Read back from the backlog, and refused.
    private var refused: Data?
    private var ending: Result<ResponseBodyWriter.Ending, any Error>?
    private var isHeld = false
    /// Holds this in turn, until it has been told the end.
    private var channel: ResponseBodyWriter?

    private let queue = DispatchQueue(label: "MoyaTransportFoundation.BodyRelay")
    private let hold: @Sendable (Bool) -> Void
    private let stop: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: How many bytes may wait in the file.
    ///   - hold: Told whether more than is read has come.
    ///   - stop: Called when the body is not read any more, or what waits is lost.
    init(
        limit: Int, hold: @escaping @Sendable (Bool) -> Void, stop: @escaping @Sendable () -> Void
    ) {
        backlog = Backlog(limit: max(limit, 1))
        self.hold = hold
        self.stop = stop
    }

    deinit { backlog.discard() }

    /// Makes the channel that leads to the reader. Once.
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

    /// Takes the next bytes.
    ///
    /// - Throws: `URLError` where they can neither be read nor be kept.
    func take(_ data: Data) throws(URLError) {
        try queue.sync { Result { () throws(URLError) in try hand(over: data) } }.get()
    }

    /// Says how the body ended. What waits is still read.
    func finish(_ result: Result<ResponseBodyWriter.Ending, any Error>) {
        queue.async {
            self.ending = result
            if !self.isHeld { self.close(result) }
        }
    }

    /// Forgets what has not been read.
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
        backlog.discard()
    }
}
