import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        guard let place = transfer.place else { return }
        transfer.place = nil
        guard let next = queue.leave(place) else { return }
        next.element.place = next.place
        makeReady(next.element)
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
        transfer.state.startOver(hadConnection: true)
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
