import CMoyaCurl
import Foundation
import MoyaCore

// The loop itself: commands, tasks, sockets and timers.
extension CurlDriver {
    /// Runs until it is told to stop, then gives everything back.
    func run() {
        LoopThread.belongs(to: self)
        LoopThread.blockBrokenPipes()
        while isRunning {
            takeCommands()
            runJobs()
            fireTimer()
            finishWhatIsDone()
            wakeAskers()
            guard isRunning else { break }
            waitForSockets()
            fireTimer()
            finishWhatIsDone()
            if nextCheck <= now { checkTimes() }
            wakeAskers()
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
        inbox.withLock { inbox in
            inbox.isAsleep = false
            inbox.load = load + inbox.commands.count
            swap(&inbox.commands, &commands)
        }
        if commands.isEmpty { return }
        // However long it took libcurl to act before.
        now = LoopClock.now()
        for command in commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer): cancel(transfer)
            case .run(let job): jobs.append(job)
            case .perform(let work): work(self)
            case .stop: isRunning = false
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    /// Runs what is ready now. What that makes ready waits until the sockets have had their turn.
    func runJobs() {
        guard !jobs.isEmpty, let runJob else { return }
        swap(&jobs, &spareJobs)
        isRunningJob = true
        for job in spareJobs { runJob(job) }
        isRunningJob = false
        spareJobs.removeAll(keepingCapacity: true)
        // However long they took.
        now = LoopClock.now()
    }

    private func millisecondsToWait() -> Int32 {
        if !jobs.isEmpty { return 0 }
        let hasWork = inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return !inbox.commands.isEmpty
        }
        if hasWork { return 0 }
        let due = min(timer ?? .max, nextCheck)
        guard due != .max else { return -1 }
        // Rounded up: waking too early would only mean to wait again.
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    // MARK: What libcurl is told

    private func fireTimer() {
        guard let timer, timer <= now else { return }
        self.timer = nil
        act(CURL_SOCKET_TIMEOUT, 0)
    }

    func act(_ socket: curl_socket_t, _ bits: Int32) {
        guard let multi else { return }
        var running: Int32 = 0
        watchdog.enter()
        let code = curl_multi_socket_action(multi, socket, bits, &running)
        watchdog.leave()
        guard code.rawValue <= CURLM_OK.rawValue else { return giveUpMulti(CurlError(code)) }
        // At once: what is over has a connection that is not in use any more.
        if running < active.count { finishWhatIsDone() }
    }
}
