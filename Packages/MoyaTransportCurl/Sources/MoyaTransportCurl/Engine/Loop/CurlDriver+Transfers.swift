#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Starting transfers: at once, or when a connection or a descriptor is free.
extension CurlDriver {
    /// Starts `transfer`, or queues it until it may have a connection.
    func start(_ transfer: Transfer) {
        guard isRunning, transfer.state.accept() else {
            return transfer.finish(.failure(URLError(.cancelled)))
        }
        guard queue.isLimited, !sharesFromTheStart(transfer) else {
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
        for waiter in queue.beginSharing(name) { _ = makeReady(waiter) }
    }

    /// The attempt goes on after it may have waited inside libcurl.
    func noteWaitEnd(of attempt: Attempt) {
        lostWakes.noteEnd(of: hostKeys.key(for: attempt.url), queued: attempt.times.queued)
    }

    /// Frees the place of a transfer, and starts the next queued one.
    func givePlaceBack(of transfer: Transfer) {
        var leaving = transfer.place.take()
        while let place = leaving, let next = queue.leave(place, now: now) {
            if makeReady(next.element) {
                next.element.place = next.place
                return
            }
            leaving = next.place
        }
    }

    /// Whether the transfer's connection is known to be multiplexed before the server responds.
    private func sharesFromTheStart(_ transfer: Transfer) -> Bool {
        configuration.httpVersion == .http2PriorKnowledge
            && configuration.httpVersion.sharesConnections(
                isSecure: transfer.url?.scheme?.lowercased() == "https")
    }

    /// Schedules the start of a transfer that has what it waited for. Returns `false` if it does
    /// not wait.
    func makeReady(_ transfer: Transfer) -> Bool {
        guard transfer.state.takeTurn() else { return false }
        agenda.ready.append(transfer)
        return true
    }

    /// Starts the scheduled transfers. A transfer that fails at once may schedule others, so this
    /// loops instead of recursing.
    func beginReady() {
        while !agenda.ready.isEmpty {
            let ready = agenda.ready.takeAll()
            // `now` may be old. It is not changed, because transfers that this round has served
            // have it as their last activity.
            let time = LoopClock.now()
            for transfer in ready { startAttempt(of: transfer, at: time) }
            agenda.ready.giveBack(ready)
        }
    }

    /// Starts an attempt of `transfer`, or queues it if it needs more descriptors than it may open.
    private func startAttempt(of transfer: Transfer, at time: UInt64) {
        // A transfer that was cancelled meanwhile has no turn any more.
        guard transfer.state.hasTurn else { return }
        guard transfer.deadline > time else {
            return fail(
                transfer, with: Timeout.whole(seconds: context.limits.exchange).error(transfer.url))
        }
        let count = handles.active.count + 1
        guard
            descriptors.mayOpenFiles(
                transfer.fileCount, transfer.descriptorClaim, among: count)
        else { return waitForDescriptor(transfer) }
        guard let handle = handles.takeIdle() ?? CurlHandle(context) else {
            return end(transfer, .failure(URLError(CURLE_OUT_OF_MEMORY, url: transfer.url)))
        }
        let attempt = Attempt(transfer, handle, on: self, at: time)
        do {
            try openMulti()
            try resizePool(beside: count)
            try RequestMapping(attempt).apply()
            let code = curl_multi_add_handle(multi.raw, handle.easy.raw)
            guard code == CURLM_OK else { throw CurlError(code) }
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
        if isForWantOfDescriptors(error, transfer) {
            attempt.closeForRestart()
            handles.giveBack(attempt.handle)
            return waitForDescriptor(transfer)
        }
        attempt.close()
        handles.giveBack(attempt.handle)
        let failure = (error as? CurlError).map { URLError($0, url: transfer.url) }
        end(transfer, .failure(failure ?? error))
    }
}

// Ending transfers: always with `end(_:_:)`.
extension CurlDriver {
    func cancel(_ transfer: Transfer) {
        if let attempt = transfer.attempt, isSilent(attempt) { attempt.handle.leaveConnection() }
        fail(transfer, with: URLError(.cancelled))
    }

    /// Fails a running or queued transfer. Not inlined, because it has many callers and rarely
    /// runs.
    @inline(never)
    func fail(_ transfer: Transfer, with error: any Error) {
        if let handle = transfer.attempt?.handle {
            // Pending DNS-over-HTTPS lookups live as long as the handle, so the handle is
            // discarded.
            if configuration.network.dnsOverHTTPS != nil { handle.isSpent = true }
            handle.leaveQUIC()
        }
        end(transfer, .failure(error))
    }

    /// Ends a transfer and frees its resources. Every transfer that the loop has accepted ends
    /// here. Does nothing if it has ended already.
    func end(_ transfer: Transfer, _ result: Result<TransportResponse, any Error>) {
        switch transfer.state.end() {
        case .nothing: return
        case .wait(.connection(let ticket)): queue.remove(ticket)
        case .wait(.descriptor(let ticket)): descriptors.remove(ticket)
        // It had a free descriptor or place: the next one may use it.
        case .wait(.turn): retryFirstWaiter()
        case .attempt(let attempt):
            release(attempt)
            attempt.close()
            retryFirstWaiter()
        }
        if let timer = transfer.timer.take() { timers.remove(timer) }
        if let sender = transfer.settle(result) { agenda.finished.append(sender) }
        givePlaceBack(of: transfer)
    }

    /// Removes the handle of an attempt from libcurl.
    func release(_ attempt: Attempt) {
        let handle = attempt.handle
        descriptors.endLookup(&attempt.connecting)
        forgottenAddresses.forget(attempt)
        // libcurl 8.18.0 would start the handle's next transfer paused.
        if !attempt.paused.isEmpty { handle.isSpent = true }
        handles.end(handle)
        watchdog.enter()
        _ = curl_multi_remove_handle(multi.raw, handle.easy.raw)
        watchdog.leave()
        // If this fails, the next transfer tries again and reports the error.
        try? resizePool(beside: handles.active.count)
        context.cookies?.tidy()
        // `now` may be slightly early, which matters if no other transfer ends later.
        idleConnections.noteIdle(since: handles.active.isEmpty ? LoopClock.now() : now)
        handles.giveBack(handle)
    }

    /// Starts a transfer again whose request no server has processed, or which is idempotent (RFC
    /// 9110, section 9.2.2). It keeps its place.
    func sendAgain(_ attempt: Attempt) {
        let transfer = attempt.transfer
        let waitingSince = attempt.waitsForConnection ? attempt.waitingSince : nil
        release(attempt)
        guard transfer.state.startOver(waitingSince: waitingSince) else { return attempt.close() }
        attempt.closeForRestart()
        agenda.ready.append(transfer)
    }

    // MARK: Finished transfers

    /// Reads libcurl's messages about finished transfers.
    func takeMessages() {
        var left: Int32 = 0
        // Counted once, because many requests that have waited may fail at the same time.
        var hosts: HostStates?
        var count = 0
        while let message = curl_multi_info_read(multi.raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let attempt = CurlHandle.of(raw)?.attempt
            else { continue }
            finish(attempt, moya_message_result(message), &hosts)
            count += 1
        }
        if count > 1 { noteSurplus() }
    }

    private func finish(_ attempt: Attempt, _ code: CURLcode, _ hosts: inout HostStates?) {
        let transfer = attempt.transfer
        if attempt.failure == nil { attempt.failure = shutDownFailure(code, attempt) }
        failedLookups.note(code, transfer.url, configuration)
        noteBrokenConnection(code, attempt.handle)
        if isForWantOfDescriptors(code, attempt) {
            release(attempt)
            attempt.closeForRestart()
            waitForDescriptor(transfer)
        } else if attempt.failure is UnevaluatedConnection {
            transfer.repeats.unevaluatedCount += 1
            sendAgain(attempt)
        } else if attempt.failure is UnusableConnection {
            sendAgain(attempt)
        } else if attempt.failure is OtherProxyScheme
            || ProxyScheme.isLearned(by: attempt, after: code)
        {
            sendAgain(attempt)
        } else if hasLostServer(code, attempt) {
            transfer.repeats.lostServer = true
            sendAgain(attempt)
        } else if isLateConnectTimeout(code, attempt, &hosts) {
            sendAgain(attempt)
        } else {
            end(transfer, attempt.result(code))
        }
    }

    /// The error of a transfer whose connection the watchdog has shut down. `nil` if it was not
    /// shut down, or the response is complete: libcurl may take the shutdown for the end of the
    /// body.
    private func shutDownFailure(_ code: CURLcode, _ attempt: Attempt) -> URLError? {
        let mayBeCut =
            attempt.reader.framing.endsWithConnection
            && attempt.easy.long(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1)
        guard code != CURLE_OK || mayBeCut else { return nil }
        let port = attempt.easy.long(CURLINFO_LOCAL_PORT)
        return watchdog.reason(attempt.handle.openedSockets, localPort: port)?.error(attempt.url)
    }
}
#endif
