#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Timeouts. A timer may fire early but never late: if bytes have moved since it was set, it is set
// again when it fires.
extension CurlDriver {
    private static var second: UInt64 { 1_000_000_000 }

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
        let hosts = isAnyWaiting ? hostStates() : nil
        for transfer in due {
            switch transfer.state.phase {
            case .running(let attempt): check(attempt, hosts)
            case .waiting: checkWait(of: transfer)
            case .submitted, .done: break
            }
        }
        if idleConnections.takeDue(now) { runDummyRequest() }
        checkWaiters()
    }

    /// Checks a running attempt's timeouts, and sets its timer again.
    private func check(_ attempt: Attempt, _ hosts: HostStates?) {
        let transfer = attempt.transfer
        if let check = attempt.upload.nextAnswerCheck, check <= now { checkAnswer(of: attempt) }
        guard transfer.attempt === attempt else { return }
        var due = attempt.due
        if due.time <= now, case .idle = due.timeout, attempt.noteSending(now) { due = attempt.due }
        let waitDue = attempt.connectionWaitDue
        if attempt.waitsForConnection, min(due.time, waitDue) <= now {
            switch hosts?.state(of: hostKeys.key(for: transfer.url)) {
            case .inUse:
                // Its other timeouts start when it has a connection.
                attempt.times.restart(at: now)
                due = attempt.due
                if waitDue < due.time { due = (waitDue, .connection) }
            case .unused where due.time <= now && attempt.mayWaitAgain(): return sendAgain(attempt)
            case .unused, .connecting, nil: break
            }
        }
        guard due.time <= now else {
            // The wait for a connection that is being opened for another request has no limit.
            let next = attempt.nextCheck
            return checkTimes(
                of: transfer, at: next > now ? next : min(due.time, now + Self.second))
        }
        // The peer may be unreachable, and the next request on this connection would time out too.
        attempt.handle.leaveConnection()
        if attempt.hasWholeAnswer {
            end(transfer, attempt.result(CURLE_OK))
        } else {
            fail(transfer, with: due.timeout.error(transfer.url))
        }
    }

    /// What the connections to each host are doing.
    func hostStates() -> HostStates {
        var states = HostStates(total: queue.total)
        for attempt in handles.attempts {
            states.note(hostKeys.key(for: attempt.url), attempt.connecting)
        }
        return states
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
#endif
