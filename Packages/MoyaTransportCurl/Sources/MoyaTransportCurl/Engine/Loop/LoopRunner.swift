#if CURL
import Foundation
import MoyaInternals

/// Runs the steps of a loop in their order: commands, jobs, timers, sockets. Used on the loop's
/// thread only.
final class LoopRunner {
    let driver: CurlDriver
    let jobs = JobQueue<UnownedJob>()
    private let inbox: Locked<Inbox<CurlLoop.Command>>
    /// The commands taken from the inbox. The array is swapped with the inbox's, so that the
    /// storage is reused.
    private var commands: [CurlLoop.Command] = []

    init(_ driver: CurlDriver, _ inbox: Locked<Inbox<CurlLoop.Command>>) {
        (self.driver, self.inbox) = (driver, inbox)
    }

    /// Runs the loop until it is stopped, and then frees its resources.
    func run() {
        LoopThread.setCurrent(self)
        LoopThread.blockSIGPIPE()
        while true {
            takeCommands()
            runJobs()
            driver.fireTimer()
            driver.finishWhatIsDone()
            driver.resumeFinished()
            guard driver.isRunning else { break }
            waitForSockets()
            driver.fireTimer()
            driver.finishWhatIsDone()
            driver.checkTimes()
            driver.resumeFinished()
        }
        tearDown()
    }

    private func takeCommands() {
        inbox.withLock { $0.take(into: &commands, load: driver.load) }
        if commands.isEmpty { return }
        // libcurl may have been busy for long since the last reading of the clock.
        driver.now = LoopClock.now()
        for command in commands {
            switch command {
            case .start(let transfer): driver.start(transfer)
            case .cancel(let transfer): driver.cancel(transfer)
            case .run(let job): jobs.append(job)
            case .perform(let work):
                work(driver)
                driver.now = LoopClock.now()
            case .stop: driver.isRunning = false
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    /// Runs the jobs that are ready now. Jobs that they enqueue wait until sockets have been
    /// served.
    private func runJobs() {
        // The jobs may have run for long.
        if jobs.runAll() { driver.now = LoopClock.now() }
    }

    /// Waits for events, and passes them to libcurl. Their time is the end of the wait: with its
    /// start, a peer that was silent during the wait would time out right after it has sent bytes.
    private func waitForSockets() {
        var hasEnded = false
        driver.poller.wait(milliseconds: millisecondsToWait()) { descriptor, bits in
            if !hasEnded {
                driver.now = LoopClock.now()
                hasEnded = true
            }
            driver.act(descriptor, bits)
        }
        if !hasEnded { driver.now = LoopClock.now() }
        if driver.timers.next <= driver.now { serveReadySockets() }
    }

    /// Serves the sockets that are ready but have not been reported, before timeouts are checked. A
    /// wait reports a limited number of sockets, and none if the process was stopped and continued.
    /// The time stays that of the first wait: a transfer whose bytes are served here is not idle.
    private func serveReadySockets() {
        // A bound, because sockets that are served may become ready again. epoll reports each ready
        // socket before it repeats one.
        for _ in 0...driver.handles.active.count / pollerBatch {
            guard driver.poller.wait(milliseconds: 0, report: driver.act) else { return }
        }
    }

    private func millisecondsToWait() -> Int32 {
        if !jobs.isEmpty || !inbox.withLock({ $0.fallAsleep() }) { return 0 }
        let (due, now) = (driver.nextDue, driver.now)
        guard due != .max else { return -1 }
        // Rounded up, because waking too early would only cause another wait.
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    /// Fails every transfer, and frees what libcurl holds.
    func tearDown() {
        let late = inbox.withLock { $0.end() }
        driver.failAll(with: URLError(.cancelled))
        for command in late {
            switch command {
            case .start(let transfer): transfer.finish(.failure(URLError(.cancelled)))
            case .run(let job): jobs.append(job)
            case .perform(let work): work(nil)
            case .cancel, .stop: break
            }
        }
        driver.close()
        let waiting = inbox.withLock { $0.close() }
        driver.resumeFinished()
        for sender in waiting { sender.resume() }
        // Runs the tasks that were resumed above, and the jobs that they enqueue.
        while jobs.runAll() {}
    }
}
#endif
