#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// How transfers begin: at once, or when a connection or a descriptor is free for them.
extension CurlDriver {
    /// Starts `transfer` as soon as it may have a connection.
    func start(_ transfer: Transfer) {
        guard isRunning, transfer.state.take() else {
            return transfer.finish(.failure(URLError(.cancelled)))
        }
        guard queue.isLimited, !sharesFromTheStart(transfer) else { return begin(transfer) }
        if let place = queue.enterFreely(now: now) {
            transfer.place = place
            return begin(transfer)
        }
        switch queue.enter(transfer, for: hostKeys.key(for: transfer.url), now: now) {
        // libcurl counts connections that are shared: it alone knows which transfer uses which.
        case .shared: begin(transfer)
        case .admitted(let place):
            transfer.place = place
            begin(transfer)
        case .queued(let ticket):
            transfer.state.wait(for: ticket, since: now)
            checkTimes(of: transfer, at: transfer.waitingDue(configuration))
        }
    }

    /// Takes note of whether a secure host shares connections, when it answers. Until that is known each transfer counts as a
    /// connection. From then on only those do that have opened one, and libcurl counts the others.
    func noteVersion(of attempt: Attempt) {
        guard attempt.handle.profile?.isSecure == true, queue.isLimited else { return }
        let easy = attempt.easy
        let shares = easy.long(CURLINFO_HTTP_VERSION) > Int(CURL_HTTP_VERSION_1_1)
        let hasOpened = easy.long(CURLINFO_NUM_CONNECTS) > 0
        let isCounted = attempt.transfer.place != nil
        if shares, !hasOpened { givePlaceBack(of: attempt.transfer) }
        // A name is made of the host only where it says something new.
        guard shares == isCounted, configuration.httpVersion != .http2PriorKnowledge,
            !shares || queue.waitingCount > 0 || hasOpened
        else { return }
        let name = hostKeys.key(for: attempt.url)
        guard shares else { return queue.endSharing(name) }
        for waiter in queue.beginSharing(name) { makeReady(waiter) }
    }

    /// Gives the connection that a transfer counts for to one that waits.
    func givePlaceBack(of transfer: Transfer) {
        guard let place = transfer.place else { return }
        transfer.place = nil
        guard let next = queue.leave(place, now: now) else { return }
        next.element.place = next.place
        makeReady(next.element)
    }

    /// Whether it is known before the server answers that its connection carries many transfers at once.
    private func sharesFromTheStart(_ transfer: Transfer) -> Bool {
        configuration.httpVersion == .http2PriorKnowledge
            && configuration.sharesConnections(
                isSecure: transfer.url?.scheme?.lowercased() == "https")
    }

    /// Has a transfer begin that has what it waited for.
    func makeReady(_ transfer: Transfer) {
        transfer.state.takeTurn()
        agenda.ready.append(transfer)
    }

    /// Begins what has become ready. A transfer that fails at once makes others ready: one after the other,
    /// however many they are.
    func beginReady() {
        while !agenda.ready.isEmpty {
            let ready = agenda.ready.takeAll()
            // One that has been cancelled meanwhile is over.
            for transfer in ready where transfer.state.hasTurn { begin(transfer) }
            agenda.ready.giveBack(ready)
        }
    }

    private func begin(_ transfer: Transfer) {
        let count = handles.active.count + 1
        guard
            descriptors.mayOpenFiles(
                transfer.fileCount, transfer.descriptorClaim, among: count)
        else { return waitForDescriptor(transfer) }
        guard let handle = handles.take(context) else {
            let error = URLError(
                CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: transfer.url)
            return end(transfer, .failure(error))
        }
        let attempt = Attempt(transfer, handle, on: self)
        do {
            try openMulti()
            try resizePool(beside: count)
            try attempt.configure()
            let code = curl_multi_add_handle(multi.raw, handle.easy.raw)
            guard code == CURLM_OK else { throw CurlError(code) }
        } catch {
            fail(attempt, error)
            return
        }
        handles.begin(handle)
        transfer.state.begin(attempt)
        checkTimes(of: transfer, at: attempt.nextCheck)
    }

    /// An attempt has failed before libcurl had it.
    private func fail(_ attempt: Attempt, _ error: any Error) {
        let transfer = attempt.transfer
        if isForWantOfDescriptors(error, transfer) {
            attempt.closeForRestart()
            handles.giveBack(attempt.handle)
            return waitForDescriptor(transfer)
        }
        attempt.close()
        handles.giveBack(attempt.handle)
        let failure = (error as? CurlError).map {
            URLError(.unknown, $0.message, url: transfer.url, cause: $0)
        }
        end(transfer, .failure(failure ?? error))
    }
}

// How transfers end: by `end(_:_:)`, whatever the reason.
extension CurlDriver {
    /// How long nothing has come, in nanoseconds, before the other end may be gone.
    private static let longSilence: UInt64 = 1_000_000_000

    func cancel(_ transfer: Transfer) {
        if let attempt = transfer.attempt, !attempt.head.hasAnswer,
            attempt.times.lastActivity &+ Self.longSilence < now || isUnproved(attempt.handle)
        {
            attempt.handle.leaveConnection()
        }
        fail(transfer, with: URLError(.cancelled))
    }

    /// Whether the connection that `handle` has opened may turn out not to speak HTTP/2, as long as no other transfer has been
    /// answered on it. Newer libcurls have each request wait for that to turn out, though none is under way.
    private func isUnproved(_ handle: CurlHandle) -> Bool {
        configuration.httpVersion == .http2PriorKnowledge && handle.profile?.isSecure == false
            && handle.easy.long(CURLINFO_NUM_CONNECTS) > 0
    }

    /// Ends a transfer that is under way or waits, before its time.
    func fail(_ transfer: Transfer, with error: any Error) {
        if let handle = transfer.attempt?.handle {
            // Pending DNS-over-HTTPS lookups live as long as the handle, so the handle is discarded.
            if configuration.network.dnsOverHTTPS != nil { handle.isSpent = true }
            handle.leaveQUIC()
        }
        end(transfer, .failure(error))
    }

    /// Ends a transfer and gives back what it has: the only way out for each that the loop has taken. Does nothing to one that
    /// is over.
    func end(_ transfer: Transfer, _ result: Result<TransportResponse, any Error>) {
        switch transfer.state.end() {
        case .nothing: return
        case .connectionTicket(let ticket): queue.remove(ticket)
        case .descriptorTicket(let ticket): descriptors.remove(ticket)
        // What it had goes to others.
        case .turn: retryFirstWaiter()
        case .attempt(let attempt):
            release(attempt)
            attempt.close()
            retryFirstWaiter()
        }
        if let timer = transfer.timer {
            transfer.timer = nil
            timers.remove(timer)
        }
        if let sender = transfer.settle(result) { agenda.finished.append(sender) }
        givePlaceBack(of: transfer)
    }

    /// Takes the handle of an attempt back from libcurl.
    func release(_ attempt: Attempt) {
        let handle = attempt.handle
        descriptors.endLookup(&attempt.connecting)
        // libcurl 8.18.0 would begin the handle's next transfer paused as well.
        if !attempt.paused.isEmpty { handle.isSpent = true }
        handles.end(handle)
        watchdog.enter()
        _ = curl_multi_remove_handle(multi.raw, handle.easy.raw)
        watchdog.leave()
        // Where that is refused, the next transfer asks again, and fails.
        try? resizePool(beside: handles.active.count)
        context.cookies?.trim()
        // The time at the last look is a little early, which counts where no other transfer ends later.
        idleConnections.noteIdle(since: handles.active.isEmpty ? LoopClock.now() : now)
        handles.giveBack(handle)
    }

    /// Begins a transfer anew that no server has acted on. It keeps its place.
    private func sendAgain(_ attempt: Attempt) {
        let transfer = attempt.transfer
        release(attempt)
        attempt.closeForRestart()
        transfer.state.startOver()
        agenda.ready.append(transfer)
    }

    // MARK: What libcurl says

    /// Hears from libcurl which transfers are over.
    func takeMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let attempt = CurlHandle.of(raw)?.attempt
            else { continue }
            finish(attempt, moya_message_result(message))
        }
    }

    private func finish(_ attempt: Attempt, _ code: CURLcode) {
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
        } else if attempt.failure is UnsolicitedData {
            transfer.repeats.metUnsolicitedData = true
            sendAgain(attempt)
        } else if isUnprocessed(code, attempt) {
            transfer.repeats.lostServer = true
            sendAgain(attempt)
        } else {
            end(transfer, attempt.result(code))
        }
    }

    /// What a transfer fails with whose connection the watchdog has shut down. libcurl may take that for the end of the body.
    private func shutDownFailure(_ code: CURLcode, _ attempt: Attempt) -> URLError? {
        let mayBeCut =
            attempt.head.framing.endsWithConnection
            && attempt.easy.long(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1)
        guard code != CURLE_OK || mayBeCut else { return nil }
        let port = attempt.easy.long(CURLINFO_LOCAL_PORT)
        return watchdog.reason(attempt.handle.openedSockets, localPort: port)?.error(attempt.url)
    }

    // MARK: The end of the loop

    /// Cancels everything and gives back what libcurl holds.
    func tearDown() {
        let late = inbox.withLock { $0.end() }
        let cancelled = URLError(.cancelled)
        for attempt in handles.attempts { fail(attempt.transfer, with: cancelled) }
        for transfer in descriptors.waitingElements + queue.waiting {
            fail(transfer, with: cancelled)
        }
        // What those have made room for.
        while !agenda.ready.isEmpty {
            for transfer in agenda.ready.takeAll() { fail(transfer, with: cancelled) }
        }
        for command in late {
            switch command {
            case .start(let transfer): transfer.finish(.failure(cancelled))
            case .run(let job): jobs.append(job)
            case .perform(let work): work(nil)
            case .cancel, .stop: break
            }
        }
        handles.removeIdle()
        try? context.cookies?.save()
        context.cookies = nil
        watchdog.enter()
        curl_multi_cleanup(multi.raw)
        watchdog.leave()
        context.release()
        poller.tearDown()
        agenda.finished += inbox.withLock { $0.close() }
        resumeFinished()
        // What the ends above have made ready, and whatever it starts, still gets to an end.
        while !jobs.isEmpty, jobs.run != nil { runJobs() }
    }
}
#endif
