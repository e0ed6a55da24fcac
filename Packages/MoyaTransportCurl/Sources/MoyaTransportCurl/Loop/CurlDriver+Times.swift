#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Timeouts. A timer may fire early but never late: if bytes have moved since it was set, it is set
// again when it fires.
extension CurlDriver {
    /// Sets the timer of `transfer` to `time`, unless it is due earlier.
    func checkTimes(of transfer: Transfer, at time: UInt64) {
        if let timer = transfer.timer {
            timers.moveForward(timer, to: time)
        } else if time != .max {
            transfer.timer = timers.add(transfer, at: time)
        }
    }

    /// Fails every transfer whose timeout has expired, and runs other timed work.
    func checkTimes() {
        // Collects the due transfers first. A transfer that is due again at once waits until
        // sockets have been served.
        var due: [Transfer] = []
        while let transfer = timers.popDue(now) {
            transfer.timer = nil
            due.append(transfer)
        }
        // Before a transfer fails, which closes its connection.
        let isAnyWaiting = due.contains { $0.attempt?.waitsForConnection == true }
        let inUse = isAnyWaiting ? connectionsInUse() : nil
        for transfer in due {
            switch transfer.state.phase {
            case .running(let attempt): check(attempt, inUse)
            case .waiting: checkWait(of: transfer)
            case .submitted, .done: break
            }
        }
        if idleConnections.takeDue(now) { runDummyRequest() }
        checkWaiters()
    }

    /// Checks a running attempt's timeouts, and sets its timer again.
    private func check(_ attempt: Attempt, _ inUse: ConnectionsInUse?) {
        let transfer = attempt.transfer
        if let check = attempt.upload.nextAnswerCheck, check <= now { checkAnswer(of: attempt) }
        guard transfer.attempt === attempt else { return }
        var due = attempt.due
        if due.time <= now, case .idle = due.timeout, attempt.noteSending(now) { due = attempt.due }
        if due.time <= now, attempt.waitsForConnection, inUse?.mayBecomeFree(for: attempt) == true,
            let wait = waitInsideCurl(attempt)
        {
            due = wait
        }
        guard due.time <= now else {
            return checkTimes(of: transfer, at: min(due.time, attempt.nextCheck))
        }
        // The peer may be unreachable, and the next request on this connection would time out too.
        attempt.handle.leaveConnection()
        if attempt.hasWholeAnswer {
            end(transfer, attempt.result(CURLE_OK))
        } else {
            fail(transfer, with: due.timeout.error(transfer.url))
        }
    }

    /// The timeout of an attempt that waits inside libcurl for a connection in use. Its other
    /// timeouts start when it gets one. `nil` if the deadline of the whole exchange has passed.
    private func waitInsideCurl(_ attempt: Attempt) -> (time: UInt64, timeout: Timeout)? {
        guard attempt.transfer.deadline > now else { return nil }
        let wait = configuration.connectionWaitTimeout.flatMap(LoopClock.nanoseconds)
        let due = wait.map { attempt.times.submitted &+ $0 } ?? .max
        if due > now { attempt.times.restart(at: now) }
        return (due, .connection)
    }

    /// The connections that carry requests.
    func connectionsInUse() -> ConnectionsInUse {
        let urls = handles.attempts.filter(\.connecting.hasConnection).map(\.url)
        return ConnectionsInUse(
            isTotalReached: queue.total > 0 && urls.count >= queue.total,
            hosts: Set(urls.map(hostKeys.key(for:))), keys: hostKeys)
    }

    private func checkWait(of transfer: Transfer) {
        // It starts soon, and then gets another timer.
        if transfer.state.hasTurn { return }
        let due = transfer.waitingDue(configuration)
        guard due <= now else { return checkTimes(of: transfer, at: due) }
        let timeout = transfer.waitTimeout(now: now, configuration)
        fail(transfer, with: timeout.error(transfer.url))
    }

    private func checkAnswer(of attempt: Attempt) {
        switch attempt.checkAnswer(now: now) {
        case .nothing: break
        case .resume: resume(attempt, .sending)
        case .connectionClosed:
            let text = "The server closed the connection before it had the request's body."
            fail(attempt.transfer, with: URLError(.networkConnectionLost, text, url: attempt.url))
        }
    }
}

/// What attempts that wait inside libcurl may wait for.
struct ConnectionsInUse {
    /// Whether the limit of all connections may be reached.
    let isTotalReached: Bool
    /// The hosts with a connection in use.
    let hosts: Set<String>
    let keys: HostKeys

    /// Whether `attempt` waits for a connection in use. If its host has none, its connections are
    /// only being opened, and the server may be unreachable.
    func mayBecomeFree(for attempt: Attempt) -> Bool {
        isTotalReached || hosts.contains(keys.key(for: attempt.url))
    }
}
#endif
