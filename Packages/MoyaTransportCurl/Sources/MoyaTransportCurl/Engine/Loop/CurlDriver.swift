#if CURL
import CMoyaCurl
import Foundation

/// Schedules transfers: what to start, what to wait for, and what has timed out. Decisions are made
/// by the components it holds. `CurlDriver+Transfers.swift` starts and ends transfers. Used on the
/// loop's thread only.
///
/// Some properties are `@exclusivity(unchecked)`, here and in the types that belong to the driver:
/// each would be checked three times or more in a request, `Attempt.reader` 26 times, at some 50
/// instructions a check. That is safe because only the loop's thread uses them, and nothing that is
/// called during an access uses the same property: a handle that `handles` closes does not call
/// back for it, and `lostWakes` asks for the states of the other hosts. The package's tests also
/// pass with the checks.
final class CurlDriver: CallbackUser {
    let configuration: CurlTransport.Configuration
    let context: HandleContext
    let multi: MultiHandle
    let poller: Poller
    /// Names the host that a connection counts for.
    let hostKeys: HostKeys

    /// The clock's time when it was last read, in nanoseconds. Reading it costs more than most of
    /// its uses.
    var now = LoopClock.now()
    var isRunning = true
    @exclusivity(unchecked) var handles = HandlePool<CurlHandle>()
    @exclusivity(unchecked) var queue: ConnectionQueue<Transfer>
    @exclusivity(unchecked) var descriptors = DescriptorBudget<Transfer>()
    @exclusivity(unchecked) var timers = TimerHeap<Transfer>()
    var idleConnections: IdleConnections
    @exclusivity(unchecked) var failedLookups = FailedLookups()
    @exclusivity(unchecked) var forgottenAddresses = ForgottenAddresses()
    @exclusivity(unchecked) var lostWakes = LostWakes()
    /// Transfers to start when neither libcurl nor a job is running.
    @exclusivity(unchecked) var ready = SwapBuffer<Transfer>()
    /// Continuations of finished transfers, to resume then.
    @exclusivity(unchecked) var finished: [UnsafeContinuation<Void, Never>] = []

    /// - Parameter count: The number of loops that share the process's descriptor and connection
    ///   limits.
    init(
        _ configuration: CurlTransport.Configuration, shareOf count: Int, options: OptionCheck
    ) throws {
        let limits = ConnectionLimits(configuration, shareOf: count)
        self.configuration = configuration
        hostKeys = HostKeys(configuration)
        queue = ConnectionQueue(total: limits.total, perHost: limits.perHost)
        idleConnections = IdleConnections(
            limit: limits.idle,
            keptFor: configuration.maxIdleConnections > 0
                ? CurlHandle.seconds(configuration.idleTimeout) : nil)
        poller = try Poller()
        do {
            context = try HandleContext(configuration, options: options)
        } catch {
            poller.tearDown()
            throw error
        }
        multi = MultiHandle(context, limits)
        context.driver = self
        do {
            try multi.open(for: self)
        } catch {
            context.release()
            poller.tearDown()
            throw error
        }
    }

    // MARK: Sockets

    /// Resumes the senders of finished transfers, all at once. A thread that is resumed for one
    /// sender has usually fallen asleep again before the next, and waking a thread costs a good
    /// part of a transfer.
    func resumeFinished() {
        for sender in finished { sender.resume() }
        finished.removeAll(keepingCapacity: true)
    }

    /// The number of transfers, running or queued.
    var load: Int { handles.active.count + descriptors.waitingCount + queue.waitingCount }

    /// Calls libcurl if its timer is due.
    func fireTimer() { if multi.timer.take(now) { act(CURL_SOCKET_TIMEOUT, 0) } }

    /// Tells libcurl that `socket` is ready for the events in `bits`, or that its timer is due.
    func act(_ socket: curl_socket_t, _ bits: Int32) {
        do throws(CurlError) {
            // At once, because a finished transfer's connection is idle now.
            if try multi.act(socket, bits) < handles.active.count { finishWhatIsDone() }
        } catch {
            giveUpMulti(error)
        }
    }

    /// Fails every transfer, and closes the multi handle with all connections. The next transfer
    /// opens it again.
    ///
    /// Used when libcurl reports that it has no memory for its table of sockets and transfers. The
    /// table is inconsistent from then on: a transfer may wait for a socket that is not watched,
    /// and the next transfer on the same connection divides by zero.
    func giveUpMulti(_ cause: CurlError) {
        takeMessages()
        for attempt in handles.attempts {
            fail(attempt.transfer, with: URLError(cause, url: attempt.url))
        }
        multi.close()
        beginReady()
    }

    /// Watches the socket as libcurl requests. With `false`, libcurl fails the call with an error,
    /// and the driver gives up the multi handle (``giveUpMulti(_:)``): the socket would not be
    /// watched.
    func socketChanged(
        _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?
    ) -> Bool {
        context.watchdog.noteProgress()
        let handle = CurlHandle.of(easy)
        let attempt = handle?.attempt
        guard what == CURL_POLL_REMOVE else {
            attempt?.sending?.use(socket)
            if what & CURL_POLL_IN != 0 { attempt?.noteReading(now) }
            return poller.watch(
                socket, reading: what & CURL_POLL_IN != 0, writing: what & CURL_POLL_OUT != 0)
        }
        // libcurl reports that it closes a socket only once its connection is established. It
        // closes a socket that is still connecting, and the resolver's own, without a callback.
        //
        // The socket of a DNS-over-HTTPS lookup whose result is no longer needed. libcurl would
        // keep the unfinished connection. After a shutdown, it removes the connection at its next
        // check.
        if context.isClosingHandle, handle == nil { shutdown(socket, Int32(SHUT_RDWR)) }
        // The close callback is not called for an address that has not answered in time, with
        // libcurl 7.88 to 8.1.
        forgottenAddresses.noteClosed(socket)
        attempt?.noteStoppedReading(from: socket)
        if attempt?.hasStandingConnection == true {
            poller.rest(socket)
        } else {
            poller.forget(socket)
        }
        return true
    }

    /// libcurl is about to close `socket`.
    func willClose(_ socket: curl_socket_t) {
        multi.closedCount += 1
        forgottenAddresses.noteClosed(socket)
        poller.forget(socket)
    }

    // MARK: Times

    /// When the loop has to go on without an event, in nanoseconds of ``LoopClock``.
    var nextDue: UInt64 {
        min(
            multi.timer.due ?? .max, timers.next, idleConnections.due, descriptors.nextCheck,
            lostWakes.due)
    }

    /// Sets the timer of `transfer` to `time`, unless it is due earlier. A timer may fire early but
    /// never late: if bytes have moved since it was set, it is set again when it fires.
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
            // A transfer with a turn starts soon, and then gets another timer.
            case .waiting where !transfer.state.hasTurn: checkWait(of: transfer)
            case .waiting, .submitted, .done: break
            }
        }
        if idleConnections.takeDue(now) {
            cleanUp { () throws(CurlError) in try multi.runDummyRequest() }
            finishWhatIsDone()
        }
        switch descriptors.check(now: now, running: handles.attempts) {
        case .nothing: break
        case .retry: retryFirstWaiter()
        case .closeIdle: idleConnections.mustClose = true
        }
    }

    /// Checks a running attempt's timeouts. Fails it, or sets its timer.
    private func check(_ attempt: Attempt, _ hosts: HostStates) {
        let transfer = attempt.transfer
        if let check = attempt.upload.nextCheck, check <= now {
            do throws(URLError) {
                if try attempt.checkAnswer(now: now) { resume(attempt, .sending) }
            } catch {
                fail(transfer, with: error)
            }
        }
        guard transfer.attempt === attempt else { return }
        let check = TimeoutCheck(attempt)
        let verdict =
            attempt.waitsForConnection
            ? check.verdict(at: now, hosts.state(of: hostKeys.key(for: attempt.url)))
            : check.verdict(at: now)
        switch verdict {
        case .wait(let time): setTimer(of: transfer, noLaterThan: time)
        case .expired(let timeout): end(transfer, attempt.result(of: timeout))
        }
    }

    private func checkWait(of transfer: Transfer) {
        let due = transfer.waitingDue(context.limits)
        guard due <= now else { return setTimer(of: transfer, noLaterThan: due) }
        let timeout = transfer.waitTimeout(now: now, context.limits)
        fail(transfer, with: transfer.error(of: timeout))
    }

    /// The states of the hosts of all running attempts.
    func hostStates() -> HostStates {
        var states = HostStates(total: queue.total)
        for attempt in handles.attempts where !attempt.waitsForConnection {
            let port = attempt.easy.long(CURLINFO_LOCAL_PORT)
            states.note(hostKeys.key(for: attempt.url), attempt.connecting, port: port)
        }
        return states
    }

    /// Wakes requests that wait inside libcurl although they may go on.
    private func wakeForgottenRequests() {
        guard lostWakes.takeDue(now) else { return }
        let waiting = handles.attempts.filter(\.waitsForConnection)
        for attempt in lostWakes.look(at: waiting, in: hostStates, hostKeys, now: now) {
            // Begins with looking for a connection.
            multi.remove(attempt.easy)
            attempt.times.queueAgain(at: now)
            do throws(CurlError) {
                try multi.add(attempt.easy)
            } catch {
                fail(attempt.transfer, with: URLError(error, url: attempt.url))
            }
        }
    }

    // MARK: Cleaning up

    /// Closes idle connections as long as there are more than `count` connections, with those in
    /// use. By default, closes every idle connection.
    func closeIdleConnections(above count: Int = 0) {
        let active = handles.active.count
        cleanUp { () throws(CurlError) in
            try multi.closeIdleConnections(above: count, beside: active)
        }
    }

    /// Calls libcurl to clean up, and takes the messages of transfers that have ended during it.
    func cleanUp(_ call: () throws(CurlError) -> Void) {
        do throws(CurlError) { try call() } catch { return giveUpMulti(error) }
        takeMessages()
    }

    // MARK: Shutdown

    /// Fails every transfer, running or waiting.
    func failAll(with error: any Error) {
        for attempt in handles.attempts { fail(attempt.transfer, with: error) }
        for transfer in descriptors.waitingElements + queue.waiting { fail(transfer, with: error) }
        // Transfers that became ready when the others ended.
        while !ready.isEmpty {
            for transfer in ready.takeAll() { fail(transfer, with: error) }
        }
    }

    /// Saves the cookies, and frees everything. No transfer is left.
    func close() {
        handles.removeIdle()
        try? context.cookies?.save()
        context.cookies = nil
        multi.close()
        context.release()
        poller.tearDown()
    }
}
#endif
