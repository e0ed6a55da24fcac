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
    func setTimer(of transfer: Transfer, noLaterThan time: UInt64) {
        if let timer = transfer.timer {
            timers.moveForward(timer, to: time)
        } else if time != .max {
            transfer.timer = timers.add(transfer, at: time)
        }
    }

    /// Fails every transfer whose timeout has expired, and runs other timed work.
    func checkTimes() {
        wakeForgottenRequests()
        // Collects the due transfers first. A transfer that is due again at once waits until
        // sockets have been served.
        var due: [Transfer] = []
        while let transfer = timers.popDue(now) {
            transfer.timer = nil
            due.append(transfer)
        }
        // Before a transfer fails, which closes its connection.
        let isAnyWaiting = due.contains { $0.attempt?.waitsForConnection == true }
        let hosts = isAnyWaiting ? hostStates() : HostStates(total: 0)
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

    /// Checks a running attempt's timeouts. Fails it, or sets its timer.
    private func check(_ attempt: Attempt, _ hosts: HostStates) {
        let transfer = attempt.transfer
        if let check = attempt.upload.nextAnswerCheck, check <= now { checkAnswer(of: attempt) }
        guard transfer.attempt === attempt else { return }
        if attempt.waitsForConnection { return checkWait(insideCurlOf: attempt, hosts) }
        var due = attempt.due
        if due.time <= now, case .idle = due.timeout, attempt.noteSending(now) { due = attempt.due }
        guard due.time <= now else { return setTimer(of: transfer, noLaterThan: attempt.nextCheck) }
        timeOut(attempt, due.timeout)
    }

    private func timeOut(_ attempt: Attempt, _ timeout: Timeout) {
        // The peer may be unreachable, and the next request on this connection would time out too.
        attempt.handle.leaveConnection()
        if attempt.hasWholeAnswer {
            end(attempt.transfer, attempt.result(CURLE_OK))
        } else {
            fail(attempt.transfer, with: timeout.error(attempt.url))
        }
    }

    /// Checks the timeouts of an attempt that waits inside libcurl. While it waits for a connection
    /// in use, its own timeouts do not apply, and the wait has one.
    private func checkWait(insideCurlOf attempt: Attempt, _ hosts: HostStates) {
        let transfer = attempt.transfer
        let state = hosts.state(of: hostKeys.key(for: attempt.url))
        if state == .connecting { transfer.state.restartWait(at: now) }
        let due = attempt.due
        guard due.time <= now else {
            let next = attempt.nextCheck
            // The connection may be in use by then.
            return setTimer(
                of: transfer,
                noLaterThan: state == .connecting ? min(next, now + Self.second) : next)
        }
        if transfer.deadline <= now {
            return timeOut(attempt, .whole(seconds: context.limits.exchange))
        }
        // Once, also if no connection is in use: libcurl may have been told only now to go on.
        guard
            state == .inUse
                || state == .unused && !exchange(&transfer.repeats.waitedForConnection, with: true)
        else { return timeOut(attempt, due.timeout) }
        if attempt.connectionWaitDue <= now { return timeOut(attempt, .connection) }
        attempt.times.restart(at: now)
        setTimer(of: transfer, noLaterThan: attempt.nextCheck)
    }

    /// The states of the hosts of all running attempts.
    func hostStates() -> HostStates {
        var states = HostStates(total: queue.total)
        for attempt in handles.attempts where !attempt.waitsForConnection {
            states.note(
                hostKeys.key(for: attempt.url), attempt.connecting,
                port: attempt.easy.long(CURLINFO_LOCAL_PORT))
        }
        return states
    }

    private func checkWait(of transfer: Transfer) {
        // It starts soon, and then gets another timer.
        if transfer.state.hasTurn { return }
        let due = transfer.waitingDue(context.limits)
        guard due <= now else { return setTimer(of: transfer, noLaterThan: due) }
        let timeout = transfer.waitTimeout(now: now, context.limits)
        fail(transfer, with: timeout.error(transfer.url))
    }

    private func checkAnswer(of attempt: Attempt) {
        switch attempt.checkAnswer(now: now) {
        case .nothing: break
        case .resume: resume(attempt, .sending)
        case .connectionClosed:
            let text = "The server closed the connection before it had the request's body."
            fail(attempt.transfer, with: URLError(.networkConnectionLost, text, url: attempt.url))
        case .answerLost:
            let text = FailureReason.lostAnswerText
            fail(attempt.transfer, with: URLError(.networkConnectionLost, text, url: attempt.url))
        }
    }
}
#endif
