#if CURL
import CMoyaCurl
import MoyaCore

// Starting transfers: at once, or when a connection or a descriptor is free.
extension CurlDriver {
    /// Starts `transfer`, or queues it until it may have a connection.
    func start(_ transfer: Transfer) {
        guard isRunning, transfer.state.accept() else {
            return transfer.finish(.failure(URLError(.cancelled)))
        }
        guard queue.isLimited,
            !PriorKnowledge.sharesFromTheStart(configuration.httpVersion, transfer.url)
        else {
            return startAttempt(of: transfer, at: now)
        }
        switch queue.enter(transfer, for: hostKeys.key(for: transfer.url), now: now) {
        // libcurl counts multiplexed connections: only it knows which transfer uses which.
        case .shared: startAttempt(of: transfer, at: now)
        case .admitted(let place):
            transfer.place = place
            startAttempt(of: transfer, at: now)
        case .queued(let ticket):
            guard transfer.state.wait(for: ticket, since: now) else { return queue.remove(ticket) }
            noteQueued(transfer)
            setTimer(of: transfer, noLaterThan: transfer.waitingDue(context.limits))
        }
    }

    /// Records whether a secure host multiplexes connections, when it responds. Until then each
    /// transfer counts as one connection. Afterwards only transfers that opened a connection count,
    /// and libcurl limits the others.
    func noteVersion(of attempt: Attempt) {
        guard attempt.handle.profile?.isSecure == true, queue.isLimited else { return }
        let easy = attempt.easy
        let shares = easy.long(CURLINFO_HTTP_VERSION) > Int(CURL_HTTP_VERSION_1_1)
        let hasOpened = easy.long(CURLINFO_NUM_CONNECTS) > 0
        let isCounted = attempt.transfer.place != nil
        if shares, !hasOpened { givePlaceBack(of: attempt.transfer) }
        // The key costs time, so it is made only if there is something to record.
        guard shares == isCounted, configuration.httpVersion != .http2PriorKnowledge,
            !shares || queue.waitingCount > 0 || hasOpened
        else { return }
        let name = hostKeys.key(for: attempt.url)
        guard shares else { return queue.endSharing(name) }
        for waiter in queue.beginSharing(name) where waiter.state.takeTurn() {
            ready.append(waiter)
        }
    }

    /// Frees the place of a transfer, and schedules the next queued one.
    private func givePlaceBack(of transfer: Transfer) {
        if let next = queue.leave(transfer, now: now) { ready.append(next) }
    }

    /// Queues a transfer until a descriptor may be free for it.
    private func waitForDescriptor(_ transfer: Transfer) {
        let wait = descriptors.wait(
            transfer, &transfer.descriptorClaim, isAlone: handles.active.isEmpty, now: now)
        guard transfer.state.wait(for: wait.ticket, since: now) else {
            return descriptors.remove(wait.ticket)
        }
        if wait.closesIdle { idleConnections.mustClose = true }
        setTimer(of: transfer, noLaterThan: transfer.waitingDue(context.limits))
    }

    /// Lets the first transfer that waits for a descriptor retry.
    func retryFirstWaiter() {
        while let transfer = descriptors.popFirst() {
            if transfer.state.takeTurn() { return ready.append(transfer) }
        }
    }

    /// Starts the scheduled transfers. A transfer that fails at once may schedule others, so this
    /// loops instead of recursing.
    func beginReady() {
        while !ready.isEmpty {
            let transfers = ready.takeAll()
            // `now` may be old. It is not changed, because transfers that this round has served
            // have it as their last activity.
            let time = LoopClock.now()
            for transfer in transfers { startAttempt(of: transfer, at: time) }
            ready.giveBack(transfers)
        }
    }

    /// Starts an attempt of `transfer`, or queues it if it needs more descriptors than it may open.
    private func startAttempt(of transfer: Transfer, at time: UInt64) {
        // A transfer that was cancelled meanwhile has no turn any more.
        guard transfer.state.hasTurn else { return }
        noteDequeued(transfer)
        guard transfer.deadline > time else {
            let timeout = Timeout.whole(seconds: context.limits.exchange)
            return fail(transfer, with: transfer.error(of: timeout))
        }
        let count = handles.active.count + 1
        guard descriptors.mayOpenFiles(transfer.fileCount, transfer.descriptorClaim, among: count)
        else { return waitForDescriptor(transfer) }
        guard let handle = handles.takeIdle() ?? CurlHandle(context) else {
            return end(transfer, .failure(URLError(CURLE_OUT_OF_MEMORY, url: transfer.url)))
        }
        let attempt = Attempt(transfer, handle, on: self, at: time)
        do {
            try multi.open(for: self)
            try multi.resizePool(beside: count)
            try RequestMapping(attempt).apply()
            try multi.add(handle.easy)
        } catch {
            return waitOrFail(attempt, after: error)
        }
        handles.activate(handle)
        guard transfer.state.run(attempt) else {
            release(attempt)
            return attempt.close()
        }
        lostWakes.noteBegin(time)
        setTimer(of: transfer, noLaterThan: attempt.nextCheck)
    }

    /// Ends an attempt that could not be added to libcurl. Its transfer waits for descriptors if
    /// they are the reason, and fails otherwise.
    private func waitOrFail(_ attempt: Attempt, after error: any Error) {
        let transfer = attempt.transfer
        defer { handles.giveBack(attempt.handle) }
        if descriptors.isCause(of: error, transfer, among: handles.active.count) {
            attempt.closeForRestart()
            return waitForDescriptor(transfer)
        }
        attempt.close()
        let failure = (error as? CurlError).map { URLError($0, url: transfer.url) }
        end(transfer, .failure(failure ?? error))
    }

    /// Lets libcurl go on with `transfer` if it is paused in `direction`.
    func proceed(_ transfer: Transfer, with direction: Pause) {
        guard let attempt = transfer.attempt, !attempt.paused.isDisjoint(with: direction) else {
            return
        }
        attempt.times.lastActivity = now
        resume(attempt, direction)
    }

    /// Resumes `attempt` in `direction`: a response stream has room again, a request stream has
    /// bytes, or the next part of a response may be decoded.
    func resume(_ attempt: Attempt, _ direction: Pause) {
        // Delivers the bytes that libcurl has buffered, during the call, and may pause again.
        let code = attempt.resume(direction)
        guard code != CURLE_OK, attempt.transfer.attempt === attempt else { return }
        // The attempt has no connection at the moment, because the one it had failed. libcurl opens
        // another.
        if code == CURLE_BAD_FUNCTION_ARGUMENT { return }
        // Not caused by a callback: libcurl had no memory to record that it uses the socket again.
        if code == CURLE_ABORTED_BY_CALLBACK, attempt.failure == nil {
            return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY))
        }
        let failure = URLError(code, detail: attempt.handle.error, url: attempt.url)
        fail(attempt.transfer, with: attempt.failure ?? failure)
    }
}

// Ending transfers: always with `end(_:_:)`.
extension CurlDriver {
    func cancel(_ transfer: Transfer) {
        if let attempt = transfer.attempt, SilentConnections.isOne(of: attempt, now: now) {
            attempt.handle.closeConnectionAtEnd()
        }
        fail(transfer, with: URLError(.cancelled))
    }

    /// Fails a running or queued transfer. Not inlined, because it has many callers and rarely
    /// runs.
    @inline(never)
    func fail(_ transfer: Transfer, with error: any Error) {
        if let handle = transfer.attempt?.handle {
            // Pending DNS-over-HTTPS lookups live as long as the handle, so the handle is
            // discarded.
            if configuration.network.dnsOverHTTPS != nil || HandleReuse.keepsState {
                handle.isSpent = true
            }
            handle.leaveQUIC()
        }
        end(transfer, .failure(error))
    }

    /// Ends a transfer and frees its resources. Every transfer that the loop has accepted ends
    /// here. Does nothing if it has ended already.
    func end(_ transfer: Transfer, _ result: Result<TransportResponse, any Error>) {
        switch transfer.state.end() {
        case .submitted, .done: return
        case .waiting(.connection(let ticket)): queue.remove(ticket)
        case .waiting(.descriptor(let ticket)): descriptors.remove(ticket)
        // It had a free descriptor or place: the next one may use it.
        case .waiting(.turn): retryFirstWaiter()
        case .running(let attempt):
            noteEnd(of: attempt, result)
            release(attempt)
            attempt.close()
            retryFirstWaiter()
        }
        noteDequeued(transfer)
        if let timer = transfer.timer.take() { timers.remove(timer) }
        if let sender = transfer.settle(result) { finished.append(sender) }
        givePlaceBack(of: transfer)
    }

    /// Removes the handle of an attempt from libcurl.
    private func release(_ attempt: Attempt) {
        let handle = attempt.handle
        descriptors.endLookup(&attempt.connecting)
        forgottenAddresses.forget(attempt)
        // libcurl 8.18.0 would start the handle's next transfer paused.
        if !attempt.paused.isEmpty { handle.isSpent = true }
        handles.end(handle)
        multi.remove(handle.easy)
        noteLeave(by: attempt)
        // If this fails, the next transfer tries again and reports the error.
        try? multi.resizePool(beside: handles.active.count)
        context.cookies?.tidy()
        // `now` may be slightly early, which matters if no other transfer ends later.
        idleConnections.noteIdle(since: handles.active.isEmpty ? LoopClock.now() : now)
        handles.giveBack(handle)
    }

    /// Starts a transfer again whose request no server has processed, or which is idempotent (RFC
    /// 9110, section 9.2.2). It keeps its place.
    private func sendAgain(_ attempt: Attempt) {
        let transfer = attempt.transfer
        let waitingSince = attempt.waitsForConnection ? attempt.waitingSince : nil
        release(attempt)
        guard transfer.state.startOver(waitingSince: waitingSince) else { return attempt.close() }
        attempt.closeForRestart()
        ready.append(transfer)
    }

    /// Takes libcurl's messages about finished attempts.
    func takeMessages() {
        // Counted once, because many requests that have waited may fail at the same time.
        var hosts: HostStates?
        var count = 0
        while let (attempt, code) = multi.nextFinished() {
            if code != CURLE_OK, HandleReuse.keepsState { attempt.handle.isSpent = true }
            failedLookups.note(code, attempt.url, configuration)
            if BrokenConnections.mayBeLeft(by: attempt, code) { idleConnections.hasBroken = true }
            switch AttemptEnd(of: attempt, code, in: self, &hosts) {
            case .result: end(attempt.transfer, attempt.result(code))
            case .again: sendAgain(attempt)
            case .descriptor:
                release(attempt)
                attempt.closeForRestart()
                waitForDescriptor(attempt.transfer)
            }
            count += 1
        }
        // While several transfers ended in one call of libcurl, the size of its pool included all
        // of them (`MultiHandle.resizePool(beside:)`).
        if count > 1, context.watchdog.socketCount > idleConnections.limit + handles.active.count {
            idleConnections.hasSurplus = true
        }
    }

    /// Ends finished transfers and starts ready ones, until neither is left.
    func finishWhatIsDone() {
        for attempt in forgottenAddresses.takeRefused() { ForgottenAddresses.wake(attempt) }
        takeMessages()
        // Dummy requests and transfers that fail at once may end others, whose connections are
        // broken as well.
        repeat {
            let names = failedLookups.takeRemovals()
            if !names.isEmpty {
                cleanUp { () throws(CurlError) in try multi.runDummyRequest(removing: names) }
            }
            if idleConnections.takeBroken() {
                if handles.active.isEmpty {
                    // Needs no memory, which may be exhausted.
                    giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY))
                } else {
                    closeIdleConnections()
                }
            }
            if idleConnections.takeMustClose() {
                closeIdleConnections()
                retryFirstWaiter()
            }
            beginReady()
            // After the ready transfers, which use idle connections.
            if idleConnections.takeSurplus() {
                closeIdleConnections(above: idleConnections.limit + handles.active.count)
            }
        } while idleConnections.mustClose || idleConnections.hasBroken
            || idleConnections.hasSurplus || !ready.isEmpty || !failedLookups.isEmpty
    }
}
#endif
