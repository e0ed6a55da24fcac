#if CURL
import CMoyaCurl
import MoyaCore
import MoyaInternals

/// The timeout that a transfer has exceeded.
enum Timeout {
    case idle(seconds: Double)
    case firstByte(seconds: Double)
    /// The deadline of the whole exchange.
    case whole(seconds: Double)
    /// It had no connection yet.
    case connection
    /// It had no descriptor yet.
    case descriptor

    func error(_ url: URL?) -> URLError {
        URLError(.timedOut, message, url: url, cause: CurlError(CURLE_OPERATION_TIMEDOUT))
    }

    private var message: String {
        switch self {
        case .idle(let seconds): "No data was sent or received for \(seconds) seconds."
        case .firstByte(let seconds):
            "The server did not begin to answer within \(seconds) seconds."
        case .whole(let seconds):
            "The request exceeded its total timeout of \(SecondsFormat.text(seconds))."
        case .descriptor:
            "No file descriptor of the process became free in time. Close files and connections, "
                + "or raise the limit (ulimit -n)."
        case .connection:
            "No connection became free in time. Long polls, and streams that are not read to their "
                + "end, occupy connections: read or cancel them, or raise maxConnectionsPerHost."
        }
    }
}

/// The deadline of a whole exchange: the earlier of the configuration's and the request's.
struct ExchangeDeadline {
    /// In nanoseconds of ``LoopClock``. `.max` if there is none.
    let time: UInt64
    /// Whether it is the request's.
    let isOfRequest: Bool

    /// - Parameter timeout: The configuration's timeout, in seconds.
    init(_ timeout: TimeInterval?, of request: TransportRequest) {
        let allowance = timeout.flatMap(LoopClock.nanoseconds)
        let left = request.deadline.flatMap { deadline in
            let remaining = deadline.remaining
            return remaining > 0 ? LoopClock.nanoseconds(remaining) : 0
        }
        isOfRequest = left.map { $0 < allowance ?? .max } ?? false
        let nearest = isOfRequest ? left : allowance
        time = nearest.map { LoopClock.now() &+ $0 } ?? .max
    }
}

/// Which of an attempt's timeouts has expired, and when to check it next.
struct TimeoutCheck {
    enum Verdict {
        /// None has expired. Check again at this time.
        case wait(until: UInt64)
        case expired(Timeout)
    }

    private let attempt: Attempt
    private var transfer: Transfer { attempt.transfer }
    private static var second: UInt64 { 1_000_000_000 }

    init(_ attempt: Attempt) { self.attempt = attempt }

    /// The next timeout, and when it expires if nothing else happens.
    private var due: (time: UInt64, timeout: Timeout) {
        // Without an exchange timeout, the deadline never expires.
        let limits = attempt.handle.context.limits
        var due = (time: transfer.deadline, timeout: Timeout.whole(seconds: limits.exchange))
        if connectionWaitDue < due.time { due = (connectionWaitDue, .connection) }
        // While libcurl is paused, the client is slow and not the server, unless the server has
        // begun to respond.
        guard attempt.paused.isEmpty || attempt.upload.nextCheck != nil else { return due }
        let lastActivity = attempt.times.lastActivity
        if let allowance = LoopClock.nanoseconds(transfer.idleTimeout),
            lastActivity &+ allowance < due.time
        {
            due = (lastActivity &+ allowance, .idle(seconds: transfer.idleTimeout))
        }
        if !attempt.reader.hasAnswer, let (seconds, allowance) = limits.firstByte,
            attempt.times.started &+ allowance < due.time
        {
            due = (attempt.times.started &+ allowance, .firstByte(seconds: seconds))
        }
        return due
    }

    /// When the loop has to check the attempt next.
    var next: UInt64 { min(due.time, attempt.upload.nextCheck ?? .max) }

    /// When its wait inside libcurl for a connection in use times out. `.max` if it does not wait,
    /// or has no such timeout.
    private var connectionWaitDue: UInt64 {
        attempt.waitsForConnection
            ? attempt.handle.context.limits.waitEnd(since: attempt.waitingSince) : .max
    }

    /// Checks an attempt that has a connection, or opens one.
    func verdict(at now: UInt64) -> Verdict {
        var due = due
        if due.time <= now, case .idle = due.timeout, attempt.noteSending(now) { due = self.due }
        return due.time <= now ? .expired(due.timeout) : .wait(until: next)
    }

    /// Checks an attempt that waits inside libcurl. While it waits for a connection in use, its own
    /// timeouts do not apply, and the wait has one.
    func verdict(at now: UInt64, _ host: HostStates.State) -> Verdict {
        if host == .connecting { transfer.state.restartWait(at: now) }
        let due = due
        guard due.time <= now else {
            // The connection may be in use by then.
            return .wait(until: host == .connecting ? min(next, now + Self.second) : next)
        }
        if transfer.deadline <= now {
            return .expired(.whole(seconds: attempt.handle.context.limits.exchange))
        }
        // Once, also if no connection is in use: libcurl may have been told only now to go on.
        guard
            host == .inUse
                || host == .unused && !exchange(&transfer.repeats.waitedForConnection, with: true)
        else { return .expired(due.timeout) }
        if connectionWaitDue <= now { return .expired(.connection) }
        attempt.times.restart(at: now)
        return .wait(until: next)
    }
}

/// The times of an attempt, in nanoseconds of ``LoopClock``.
struct AttemptTimes {
    /// When it was first added to libcurl.
    let submitted: UInt64
    /// When it was last added to libcurl (``LostWakes``).
    private(set) var queued: UInt64
    /// When it began to connect or send. It may have waited for a connection inside libcurl before.
    private(set) var started: UInt64
    /// When the idle time began: with the last byte, step towards a connection, or resume.
    var lastActivity: UInt64

    init(started: UInt64) {
        (submitted, queued, self.started, lastActivity) = (started, started, started, started)
    }

    /// It was added to libcurl again. `now` may be an earlier reading of the clock than the others.
    mutating func queueAgain(at now: UInt64) { queued = max(queued, now) }

    /// It had no connection until `now`.
    mutating func restart(at now: UInt64) { (started, lastActivity) = (now, now) }
}

/// Progress of sending a request body.
///
/// libcurl asks for the next piece once the system has accepted all of the last one, and over TLS
/// it reports nothing in between. The system buffers megabytes. On a slow line either may take
/// longer than the idle timeout. So before a transfer fails with that timeout, the bytes that the
/// server has acknowledged since are counted.
struct SendProgress {
    private(set) var socket: Int32?
    private var lastPiece = 0
    /// The acknowledged bytes of the connection at the last reading.
    private var arrived: UInt64 = 0
    /// An upper bound of the connection's acknowledged bytes when all pieces have arrived. Bytes
    /// beyond it belong to other requests on the connection.
    private var end: UInt64 = 0
    /// The bytes that libcurl had written at the last reading.
    private var written: Int64 = 0

    /// libcurl uses `socket` from now on.
    mutating func use(_ socket: Int32) {
        guard socket != self.socket else { return }
        self.socket = socket
        look()
    }

    /// libcurl does not use `socket` any more.
    mutating func leave(_ socket: Int32) { if socket == self.socket { self.socket = nil } }

    /// libcurl takes a piece of `count` bytes.
    mutating func hand(_ count: Int) {
        lastPiece = count
        look()
    }

    private mutating func look() {
        guard let socket, let counts = ConnectionCounts(of: socket) else { return }
        arrived = counts.arrived
        // TLS and HTTP/2 framing add a little to each piece.
        end = counts.accepted + UInt64(lastPiece) * 2 + 4096
    }

    /// When bytes last moved, or `nil` if none have since the last reading.
    mutating func lastMove(of easy: EasyHandle, from source: BodySource, now: UInt64) -> UInt64? {
        if let socket, let counts = ConnectionCounts(of: socket) {
            let isOurs = arrived < end && counts.arrived > arrived
            arrived = counts.arrived
            return isOurs ? now - min(now, counts.nanosecondsSinceSending) : nil
        }
        let before = written
        written = easy.offset(CURLINFO_SIZE_UPLOAD_T)
        // The time of the last byte is unknown. If all are written, it may be long ago.
        let hasMore = written < source.offset || source.offset != source.count
        return written > before && hasMore ? now : nil
    }
}

/// Directions in which libcurl is paused, as bits of `curl_easy_pause`.
struct Pause: OptionSet {
    let rawValue: Int32
    static let receiving = Pause(rawValue: 1 << 0)
    static let sending = Pause(rawValue: 1 << 2)
}
#endif
