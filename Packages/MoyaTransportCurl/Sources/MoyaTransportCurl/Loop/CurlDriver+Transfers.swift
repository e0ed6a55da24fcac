import CMoyaCurl
import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// How transfers begin, and how they end: by `retire`, whatever the reason.
extension CurlDriver {
    /// How many handles are kept for reuse whatever there is to do. Each holds a few KiB. Under load there may be
    /// as many as are in use: to make them anew for each request costs time, and leaves the memory in pieces.
    private static let leastIdleHandles = 256
    /// How long nothing has come, in nanoseconds, before the other end may be gone.
    private static let longSilence: UInt64 = 1_000_000_000

    // MARK: Beginnings

    /// Starts `transfer` as soon as it may have a connection.
    func start(_ transfer: Transfer) {
        transfer.isTaken = true
        guard isRunning, !transfer.isCancelled else {
            return transfer.finish(.failure(URLError(.cancelled)))
        }
        guard admission.isLimited, !sharesFromTheStart(transfer) else { return begin(transfer) }
        transfer.isCounted = true
        if admission.enterFreely() { return begin(transfer) }
        let origin = origin(of: transfer)
        transfer.origin = origin
        if sharing.contains(origin) {
            // libcurl counts connections that are shared: it alone knows which transfer uses which.
            transfer.isCounted = false
            begin(transfer)
        } else if admission.enter(transfer, for: origin) {
            begin(transfer)
        } else {
            transfer.waitingSince = now
            nextCheck = min(nextCheck, transfer.waitingDue(self))
        }
    }

    /// Takes note of whether a secure origin shares connections, when it answers. Until that is known each
    /// transfer counts as a connection.
    func noteVersion(of transfer: Transfer, _ handle: CurlHandle) {
        guard handle.profile?.isSecure == true, admission.isLimited else { return }
        let shares = handle.easy.long(CURLINFO_HTTP_VERSION) > Int(CURL_HTTP_VERSION_1_1)
        // A name is made of the origin only where it says something new.
        guard shares == transfer.isCounted, configuration.httpVersion != .http2PriorKnowledge,
            !shares || admission.waitingCount > 0 || handle.easy.long(CURLINFO_NUM_CONNECTS) > 0
        else { return }
        let origin = transfer.origin ?? origin(of: transfer)
        if !shares {
            sharing.remove(origin)
        } else if sharing.insert(origin).inserted {
            if sharing.count > 4096 { sharing = [origin] }
            for waiting in admission.releaseWaiting(for: origin) {
                waiting.isCounted = false
                ready.append(waiting)
            }
        }
    }

    /// Whether it is known before the server answers that its connection carries many transfers at once.
    private func sharesFromTheStart(_ transfer: Transfer) -> Bool {
        configuration.httpVersion == .http2PriorKnowledge
            && configuration.sharesConnections(
                isSecure: transfer.url?.scheme?.lowercased() == "https")
    }

    private func origin(of transfer: Transfer) -> String {
        hostKeys.key(for: transfer.url)
    }

    /// Begins what has become ready. A transfer that fails at once makes others ready: one after the other,
    /// however many they are.
    func beginReady() {
        while !ready.isEmpty {
            swap(&ready, &spareReady)
            for transfer in spareReady {
                if transfer.isCancelled { makeRoom(after: transfer) } else { begin(transfer) }
            }
            spareReady.removeAll(keepingCapacity: true)
        }
    }

    private func begin(_ transfer: Transfer) {
        if mustLeaveDescriptors(transfer) { return postpone(transfer) }
        guard let handle = idle.popLast() ?? CurlHandle(driver: self) else {
            let error = URLError(
                CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: transfer.url)
            return retire(transfer, .failure(error))
        }
        do {
            try openMulti()
            try resizePool(beside: active.count + 1)
            try transfer.configure(handle)
            let code = curl_multi_add_handle(multi, handle.easy.raw)
            guard code == CURLM_OK else { throw CurlError(code) }
        } catch {
            transfer.handle = nil
            giveBack(handle)
            if isForWantOfDescriptors(error, transfer) {
                transfer.startOver()
                return postpone(transfer)
            }
            let failure = (error as? CurlError).map {
                URLError(.unknown, $0.message, url: transfer.url, cause: $0)
            }
            return retire(transfer, .failure(failure ?? error))
        }
        handle.index = active.count
        active.append(handle)
        transfer.started = now
        transfer.lastActivity = now
        nextCheck = min(nextCheck, transfer.due(self).time)
    }

    // MARK: Ends

    func cancel(_ transfer: Transfer) {
        // One that has not arrived yet is still its sender's. It ends when it does.
        guard transfer.isTaken else { return transfer.isCancelled = true }
        if let handle = transfer.handle, !transfer.hasAnswer,
            transfer.lastActivity &+ Self.longSilence < now || isUnproved(handle)
        {
            handle.leaveConnection()
        }
        end(transfer, with: URLError(.cancelled))
    }

    /// Whether nobody knows that the connection `handle` has opened speaks HTTP/2, unless others have been answered on it.
    /// Newer libcurls have each request wait for that to turn out, though none is under way.
    private func isUnproved(_ handle: CurlHandle) -> Bool {
        configuration.httpVersion == .http2PriorKnowledge && handle.profile?.isSecure == false
            && handle.easy.long(CURLINFO_NUM_CONNECTS) > 0
    }

    /// Ends a transfer that is under way or waits for a connection. Does nothing to one that is over.
    func end(_ transfer: Transfer, with error: any Error) {
        if let handle = transfer.handle {
            // Questions for its name that are under way live as long as the handle does.
            if configuration.network.dnsOverHTTPS != nil { handle.isSpent = true }
            handle.leaveQUIC()
            return retire(transfer, .failure(error))
        }
        // Where it waits, it is passed over when its turn comes.
        transfer.isCancelled = true
        transfer.finish(.failure(error))
        goneCount += 1
        // Not each by itself, which would take as long as the queue is, for each.
        if goneCount > max(64, admission.waitingCount / 2) {
            admission.removeWaiting(where: \.isCancelled)
            goneCount = 0
        }
    }

    func finishWhatIsDone() {
        takeMessages()
        forgetFailedNames()
        if hasBrokenConnection { closeBrokenConnection() }
        repeat {
            if mustCloseIdle {
                mustCloseIdle = false
                closeIdleConnections()
                retryPostponed()
            }
            beginReady()
        } while mustCloseIdle
    }

    /// Closes what ``keepsBrokenConnection(_:_:)`` has found, and every other idle connection with it.
    private func closeBrokenConnection() {
        hasBrokenConnection = false
        // Needs no memory, which may have been what was missing.
        if active.isEmpty { return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY)) }
        closeIdleConnections()
    }

    /// Hears from libcurl which transfers are over.
    func takeMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let handle = CurlHandle.of(raw), let transfer = handle.transfer
            else { continue }
            let code = moya_message_result(message)
            if transfer.failure == nil {
                transfer.failure = shutDownFailure(code, transfer, handle)
            }
            noteFailedName(code, transfer)
            if keepsBrokenConnection(code, handle) { hasBrokenConnection = true }
            if isForWantOfDescriptors(code, transfer, handle) {
                startOver(transfer, handle)
                postpone(transfer)
            } else if transfer.failure is UnjudgedConnection {
                transfer.unjudgedCount += 1
                sendAgain(transfer, handle)
            } else if transfer.failure is UnsolicitedData {
                transfer.hasMetUnsolicitedData = true
                sendAgain(transfer, handle)
            } else if isUnprocessed(code, transfer, handle) {
                transfer.isRepeated = true
                sendAgain(transfer, handle)
            } else {
                retire(transfer, transfer.result(code, of: handle))
            }
        }
    }

    /// What a transfer fails with whose connection the watchdog has shut down. libcurl may take that for the end of the body.
    private func shutDownFailure(
        _ code: CURLcode, _ transfer: Transfer, _ handle: CurlHandle
    ) -> URLError? {
        let mayBeCut =
            transfer.framing.endsWithConnection
            && handle.easy.long(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1)
        guard code != CURLE_OK || mayBeCut else { return nil }
        let port = handle.easy.long(CURLINFO_LOCAL_PORT)
        return watchdog.reason(handle.openedSockets, localPort: port)?.error(transfer.url)
    }

    /// Ends a transfer and gives back what it has: the only way out for whatever has begun.
    private func retire(
        _ transfer: Transfer, _ result: Result<TransportResponse, any Error>
    ) {
        if let handle = transfer.handle { release(handle) }
        if let asker = transfer.settle(result) { askers.append(asker) }
        makeRoom(after: transfer)
    }

    /// Wakes those whose transfers are over. All at once: whoever is woken by itself has mostly fallen asleep again
    /// when the next one is, and to wake a thread costs as much as a good part of a transfer.
    func wakeAskers() {
        for asker in askers { asker.resume() }
        askers.removeAll(keepingCapacity: true)
    }

    private func startOver(_ transfer: Transfer, _ handle: CurlHandle) {
        release(handle)
        transfer.startOver()
    }

    /// Begins a transfer anew that no server has acted on. It keeps its place.
    private func sendAgain(_ transfer: Transfer, _ handle: CurlHandle) {
        startOver(transfer, handle)
        (transfer.waitingSince, transfer.postponedSince) = (0, 0)
        ready.append(transfer)
    }

    /// Whether a transfer has failed for what may be wrong with its connection, and libcurl keeps that, as it does where
    /// it could be shared.
    ///
    /// One that had no memory for what HTTP/2 says first never gets any further, and others wait for it. What comes in on
    /// one that had none for what came before ends the process (nghttp2). That it was memory is not always told.
    private func keepsBrokenConnection(_ code: CURLcode, _ handle: CurlHandle) -> Bool {
        // A tunnel that a proxy has refused never became one.
        guard configuration.httpVersion != .http1, handle.easy.long(CURLINFO_HTTP_CONNECTCODE) < 300
        else { return false }
        switch code {
        case CURLE_OUT_OF_MEMORY, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            return handle.easy.long(CURLINFO_HTTP_VERSION) == 3
                || handle.easy.keptSocket != nil || handle.easy.long(CURLINFO_REQUEST_SIZE) == 0
        default: return false
        }
    }

    /// Whether an HTTP/2 server has gone before it answered a request that may be repeated, as it does when it shuts
    /// down, or has closed a kept connection. libcurl repeats one by itself only where others use the connection as well.
    private func isUnprocessed(
        _ code: CURLcode, _ transfer: Transfer, _ handle: CurlHandle
    ) -> Bool {
        let hasGone =
            code == CURLE_HTTP2
            || code == CURLE_PARTIAL_FILE && handle.easy.long(CURLINFO_NUM_CONNECTS) == 0
        guard hasGone, !transfer.hasAnswer, transfer.failure == nil,
            !transfer.isRepeated, !transfer.isCancelled
        else { return false }
        // A stream may be one that can be read once.
        if case .stream = transfer.request.body { return false }
        return handle.profile?.isIdempotent == true
    }

    /// Hands on what `transfer` had: descriptors, and its place where it is counted.
    private func makeRoom(after transfer: Transfer) {
        retryPostponed()
        guard transfer.isCounted else { return }
        transfer.isCounted = false
        if let next = admission.leave(transfer.origin) { ready.append(next.element) }
    }

    private func release(_ handle: CurlHandle) {
        if let transfer = handle.transfer {
            noteName(of: transfer)
            // libcurl 8.18.0 would begin the handle's next transfer paused as well.
            if !transfer.paused.isEmpty { handle.isSpent = true }
        }
        let last = active.removeLast()
        if last !== handle {
            active[handle.index] = last
            last.index = handle.index
        }
        watchdog.enter()
        _ = curl_multi_remove_handle(multi, handle.easy.raw)
        watchdog.leave()
        // Where that is refused, the next transfer asks again, and fails.
        try? resizePool(beside: active.count)
        cookies?.trim()
        noteIdle()
        giveBack(handle)
    }

    private func giveBack(_ handle: CurlHandle) {
        handle.clear()
        if handle.isSpent { return }
        idle.append(handle)
        while idle.count > max(Self.leastIdleHandles, active.count) { idle.removeLast() }
    }

    // MARK: Time

    /// Ends every transfer whose time is up.
    func checkTimes() {
        nextCheck = .max
        for transfer in active.compactMap(\.transfer) {
            if transfer.nextAnswerCheck <= now { checkAnswer(of: transfer) }
            guard transfer.handle != nil else { continue }
            nextCheck = min(nextCheck, transfer.nextAnswerCheck)
            var due = transfer.due(self)
            if due.time <= now, case .idle = due.1, transfer.noteSending(now) {
                due = transfer.due(self)
            }
            if due.time > now {
                nextCheck = min(nextCheck, due.time)
            } else {
                // The other end may be gone without a word: whoever came next would wait for it as long.
                transfer.handle?.leaveConnection()
                if let handle = transfer.handle, transfer.hasWholeAnswer(handle) {
                    retire(transfer, transfer.result(CURLE_OK, of: handle))
                } else {
                    end(transfer, with: transfer.timeout(due.1))
                }
            }
        }
        checkIdle()
        checkPostponed()
        guard admission.isLimited || !postponed.isEmpty else { return }
        for transfer in postponed + admission.waiting where !transfer.isCancelled {
            let due = transfer.waitingDue(self)
            if due > now {
                nextCheck = min(nextCheck, due)
            } else {
                end(transfer, with: transfer.timeout(.waiting))
            }
        }
    }

    /// Cancels everything and gives back what libcurl holds.
    func tearDown() {
        let late = inbox.withLock { inbox in
            inbox.isOver = true
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for transfer in ready + postponed + admission.waiting {
            end(transfer, with: URLError(.cancelled))
        }
        for transfer in active.compactMap(\.transfer) { end(transfer, with: URLError(.cancelled)) }
        for case .start(let transfer) in late { transfer.finish(.failure(URLError(.cancelled))) }
        for case .run(let job) in late { jobs.append(job) }
        for case .perform(let work) in late { work(nil) }
        // The transfers hold their loop, and that holds this.
        (ready, postponed, idle) = ([], [], [])
        admission.removeWaiting { _ in true }
        try? cookies?.save()
        cookies = nil
        watchdog.enter()
        curl_multi_cleanup(multi)
        watchdog.leave()
        watchdog.stop()
        curl_slist_free_all(hostOverrides)
        curl_slist_free_all(proxyFields)
        poller.tearDown()
        askers += inbox.withLock { inbox in
            inbox.isClosed = true
            defer { inbox.waiting = [] }
            return inbox.waiting
        }
        wakeAskers()
        // What the ends above have made ready, and whatever it starts, still gets to an end.
        while !jobs.isEmpty, runJob != nil { runJobs() }
    }
}
