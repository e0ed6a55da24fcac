#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// The event loop: commands, jobs, sockets and timers.
extension CurlDriver {
    var watchdog: StallWatchdog { context.watchdog }

    /// Runs the loop until it is stopped, and then frees its resources.
    func run() {
        LoopThread.setCurrentDriver(self)
        LoopThread.blockSIGPIPE()
        while isRunning {
            takeCommands()
            runJobs()
            fireTimer()
            finishWhatIsDone()
            resumeFinished()
            guard isRunning else { break }
            waitForSockets()
            fireTimer()
            finishWhatIsDone()
            checkTimes()
            resumeFinished()
        }
        tearDown()
    }

    /// Waits for events, and passes them to libcurl. Their time is the end of the wait: with its
    /// start, a peer that was silent during the wait would time out right after it has sent bytes.
    private func waitForSockets() {
        var hasEnded = false
        poller.wait(milliseconds: millisecondsToWait()) { descriptor, bits in
            if !hasEnded {
                now = LoopClock.now()
                hasEnded = true
            }
            act(descriptor, bits)
        }
        if !hasEnded { now = LoopClock.now() }
        if timers.next <= now { serveReadySockets() }
    }

    /// Serves the sockets that are ready but have not been reported, before timeouts are checked. A
    /// wait reports a limited number of sockets, and none if the process was stopped and continued.
    /// The time stays that of the first wait: a transfer whose bytes are served here is not idle.
    private func serveReadySockets() {
        // A bound, because sockets that are served may become ready again. epoll reports each ready
        // socket before it repeats one.
        for _ in 0...handles.active.count / pollerBatch {
            guard poller.wait(milliseconds: 0, report: act) else { return }
        }
    }

    // MARK: Commands and jobs

    private func takeCommands() {
        let load = load
        inbox.withLock { $0.take(into: &agenda.commands, load: load) }
        if agenda.commands.isEmpty { return }
        // libcurl may have been busy for long since the last reading of the clock.
        now = LoopClock.now()
        for command in agenda.commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer): cancel(transfer)
            case .run(let job): jobs.append(job)
            case .perform(let work):
                work(self)
                now = LoopClock.now()
            case .stop: isRunning = false
            }
        }
        agenda.commands.removeAll(keepingCapacity: true)
    }

    /// Runs the jobs that are ready now. Jobs that they enqueue wait until sockets have been
    /// served.
    private func runJobs() {
        // The jobs may have run for long.
        if jobs.runAll() { now = LoopClock.now() }
    }

    private func millisecondsToWait() -> Int32 {
        if !jobs.isEmpty || !inbox.withLock({ $0.fallAsleep() }) { return 0 }
        let due = min(
            multi.timer ?? .max, timers.next, idleConnections.due, descriptors.nextCheck,
            lostWakes.due)
        guard due != .max else { return -1 }
        // Rounded up, because waking too early would only cause another wait.
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    /// Resumes the senders of finished transfers, all at once. A thread that is resumed for one
    /// sender has usually fallen asleep again before the next, and waking a thread costs a good
    /// part of a transfer.
    func resumeFinished() {
        for sender in agenda.finished { sender.resume() }
        agenda.finished.removeAll(keepingCapacity: true)
    }

    // MARK: Calls to libcurl

    /// Calls libcurl if its timer is due.
    private func fireTimer() {
        if multi.takeTimer(now) { act(CURL_SOCKET_TIMEOUT, 0) }
    }

    /// Tells libcurl that `socket` is ready for the events in `bits`, or that its timer is due.
    ///
    /// Calls itself if the end of a transfer requires a dummy request (``finishWhatIsDone()``). The
    /// depth is limited: each call has reset the flag that led to it, and only the end of another
    /// transfer sets it again.
    func act(_ socket: curl_socket_t, _ bits: Int32) {
        guard let raw = multi.raw else { return }
        var running: Int32 = 0
        watchdog.enter()
        let code = curl_multi_socket_action(raw, socket, Self.readingFirst(bits), &running)
        watchdog.leave()
        // The negative code is no error.
        guard code.rawValue <= CURLM_OK.rawValue else { return giveUpMulti(CurlError(code)) }
        // At once, because a finished transfer's connection is idle now.
        if running < handles.active.count { finishWhatIsDone() }
    }

    /// Ends finished transfers and starts ready ones, until neither is left.
    func finishWhatIsDone() {
        tryNextAddresses()
        takeMessages()
        // Dummy requests and transfers that fail at once may end others, whose connections are
        // broken as well.
        repeat {
            forgetFailedLookups()
            closeBrokenConnection()
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
            || idleConnections.hasSurplus
    }

    // MARK: Shutdown

    /// Fails every transfer, and frees what libcurl holds.
    func tearDown() {
        let late = inbox.withLock { $0.end() }
        let cancelled = URLError(.cancelled)
        for attempt in handles.attempts { fail(attempt.transfer, with: cancelled) }
        for transfer in descriptors.waitingElements + queue.waiting {
            fail(transfer, with: cancelled)
        }
        // Transfers that became ready when the others ended.
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
        // Runs the tasks that were resumed above, and the jobs that they enqueue.
        while jobs.runAll() {}
    }
}
#endif
