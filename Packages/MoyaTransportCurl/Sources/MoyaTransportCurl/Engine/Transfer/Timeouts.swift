#if CURL
import CMoyaCurl
import Foundation
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

/// The times of an attempt, in nanoseconds of ``LoopClock``.
struct AttemptTimes {
    /// When it was first added to libcurl.
    let submitted: UInt64
    /// When it was last added to libcurl (``LostWakes``).
    private(set) var queued: UInt64
    /// When it began to connect or send. It may have waited for a connection inside libcurl before.
    private(set) var started: UInt64
    /// When a byte was last sent or received.
    var lastActivity: UInt64

    init(started: UInt64) {
        (submitted, queued, self.started, lastActivity) = (started, started, started, started)
    }

    /// It was added to libcurl again. `now` may be an earlier reading of the clock than the others.
    mutating func queueAgain(at now: UInt64) { queued = max(queued, now) }

    /// It had no connection until `now`.
    mutating func restart(at now: UInt64) { (started, lastActivity) = (now, now) }
}

/// Directions in which libcurl is paused, as bits of `curl_easy_pause`.
struct Pause: OptionSet {
    let rawValue: Int32
    static let receiving = Pause(rawValue: 1 << 0)
    static let sending = Pause(rawValue: 1 << 2)
}
#endif
