#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// The loop itself: commands, tasks, sockets and timers.
extension CurlDriver {
    var watchdog: StallWatchdog { context.watchdog }

    /// Runs until it is told to stop, then gives everything back.
    func run() {
        LoopThread.belongs(to: self)
        LoopThread.blockBrokenPipes()
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

    /// Waits, and lets libcurl act on what has come. That is dated by when the wait ended: by when it began, a
    /// peer that was silent for most of its time would be given up right after it has spoken.
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
    }

    // MARK: Commands and tasks

    private func takeCommands() {
        let load = load
        inbox.withLock { $0.take(into: &agenda.commands, load: load) }
        if agenda.commands.isEmpty { return }
        // However long it took libcurl to act before.
        now = LoopClock.now()
        for command in agenda.commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer): cancel(transfer)
            case .run(let job): jobs.append(job)
            case .perform(let work): work(self)
            case .stop: isRunning = false
            }
        }
        agenda.commands.removeAll(keepingCapacity: true)
    }

    /// Runs what is ready now. What that makes ready waits until the sockets have had their turn.
    func runJobs() {
        guard !jobs.isEmpty, let run = jobs.run else { return }
        let ready = jobs.takeAll()
        isRunningJob = true
        for job in ready { run(job) }
        isRunningJob = false
        jobs.giveBack(ready)
        // However long they took.
        now = LoopClock.now()
    }

    private func millisecondsToWait() -> Int32 {
        if !jobs.isEmpty || !inbox.withLock({ $0.fallAsleep() }) { return 0 }
        let due = min(
            multi.timer ?? .max, timers.next, idleConnections.due, descriptors.nextCheck)
        guard due != .max else { return -1 }
        // Rounded up: waking too early would only mean to wait again.
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    /// Resumes the senders whose transfers are over. All at once: one that is resumed by itself has mostly fallen asleep again
    /// when the next one is, and to wake a thread costs as much as a good part of a transfer.
    func resumeFinished() {
        for sender in agenda.finished { sender.resume() }
        agenda.finished.removeAll(keepingCapacity: true)
    }

    // MARK: What libcurl is told

    private func fireTimer() {
        if multi.takeTimer(now) { act(CURL_SOCKET_TIMEOUT, 0) }
    }

    func act(_ socket: curl_socket_t, _ bits: Int32) {
        guard let raw = multi.raw else { return }
        var running: Int32 = 0
        watchdog.enter()
        let code = curl_multi_socket_action(raw, socket, bits, &running)
        watchdog.leave()
        guard code.rawValue <= CURLM_OK.rawValue else { return giveUpMulti(CurlError(code)) }
        // At once: what is over has a connection that is not in use any more.
        if running < handles.active.count { finishWhatIsDone() }
    }

    func finishWhatIsDone() {
        takeMessages()
        forgetFailedLookups()
        closeBrokenConnection()
        repeat {
            if idleConnections.takeMustClose() {
                closeIdleConnections()
                retryFirstWaiter()
            }
            beginReady()
        } while idleConnections.mustClose
    }
}
#endif
