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

extension Transfer {
    /// When its wait for a connection times out.
    func waitingDue(_ limits: TimeLimits) -> UInt64 {
        guard let since = state.waitingSince else { return deadline }
        return min(deadline, limits.waitEnd(since: since))
    }

    /// The timeout that has expired while it waits.
    func waitTimeout(now: UInt64, _ limits: TimeLimits) -> Timeout {
        if deadline <= now { return .whole(seconds: limits.exchange) }
        if case .waiting(.descriptor) = state.phase { return .descriptor }
        return .connection
    }
}

extension Attempt {
    /// The next timeout, and when it expires if nothing else happens.
    var due: (time: UInt64, timeout: Timeout) {
        // Without an exchange timeout, the deadline never expires.
        let limits = handle.context.limits
        var due = (time: transfer.deadline, timeout: Timeout.whole(seconds: limits.exchange))
        if connectionWaitDue < due.time { due = (connectionWaitDue, .connection) }
        // While libcurl is paused, the client is slow and not the server, unless the server has
        // begun to respond.
        guard paused.isEmpty || upload.nextAnswerCheck != nil else { return due }
        if let allowance = LoopClock.nanoseconds(transfer.idleTimeout),
            times.lastActivity &+ allowance < due.time
        {
            due = (times.lastActivity &+ allowance, .idle(seconds: transfer.idleTimeout))
        }
        if !head.hasAnswer, let (seconds, allowance) = limits.firstByte,
            times.started &+ allowance < due.time
        {
            due = (times.started &+ allowance, .firstByte(seconds: seconds))
        }
        return due
    }

    /// Whether it waits inside libcurl, for a stream on a shared connection or for a free
    /// connection. The server is not to blame for that time.
    var waitsForConnection: Bool { connecting.step == .waiting }

    /// Whether it has begun to send its request.
    var hasSentRequest: Bool { easy.long(CURLINFO_REQUEST_SIZE) != 0 }

    /// Records that it looks up a name, opens a socket, or begins to write the request. If it
    /// waited inside libcurl before, its times start now.
    func noteConnecting(_ now: UInt64) {
        times.lastActivity = max(times.lastActivity, now)
        guard waitsForConnection else { return }
        times.restart(at: times.lastActivity)
        driver.noteWaitEnd(of: self)
    }

    /// When it began to wait for a connection.
    var waitingSince: UInt64 { transfer.state.waitingSince ?? times.submitted }

    /// When its wait inside libcurl for a connection in use times out. `.max` if it does not wait,
    /// or has no such timeout.
    var connectionWaitDue: UInt64 {
        guard waitsForConnection else { return .max }
        return handle.context.limits.waitEnd(since: waitingSince)
    }

    /// When the loop has to check it next.
    var nextCheck: UInt64 { min(due.time, upload.nextAnswerCheck ?? .max) }

    /// Records that bytes moved without a callback of libcurl. Returns whether any have.
    func noteSending(_ now: UInt64) -> Bool {
        guard let source = upload.source,
            let move = upload.sending?.lastMove(of: easy, from: source, now: now)
        else { return false }
        times.lastActivity = max(times.lastActivity, move)
        return true
    }
}
#endif
