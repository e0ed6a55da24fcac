import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

// The loop itself: commands, tasks, sockets and timers.
extension CurlDriver {
    /// Runs until it is told to stop, then gives everything back.
    func run() {
        LoopThread.belongs(to: self)
        LoopThread.blockBrokenPipes()
        listenToCurl()
        while isRunning {
            takeCommands()
            runJobs()
            fireTimer()
            finishWhatIsDone()
            wakeAskers()
            guard isRunning else { break }
            let timeout = millisecondsToWait()
            poller.wait(milliseconds: timeout) { descriptor, bits in act(descriptor, bits) }
            now = Clock.now()
            fireTimer()
            finishWhatIsDone()
            if nextCheck <= now { checkTimes() }
            wakeAskers()
        }
        tearDown()
    }

    // MARK: Commands and tasks

    private func takeCommands() {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            inbox.load = load + inbox.commands.count
            swap(&inbox.commands, &commands)
        }
        if commands.isEmpty { return }
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

    // MARK: What libcurl asks for

    private func listenToCurl() {
        // libcurl keeps the pointer for as long as `multi` lives, which is less long than `self` does.
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = moya_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
        _ = moya_multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
        _ = moya_multi_set_socket_callback(multi) { easy, socket, what, user, _ in
            CurlDriver.from(user)?.socketChanged(socket, what, of: easy)
            return 0
        }
        _ = moya_multi_set_timer_callback(multi) { _, milliseconds, user in
            CurlDriver.from(user)?.timerChanged(milliseconds)
            return 0
        }
    }

    private func socketChanged(
        _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?
    ) {
        switch what {
        case CURL_POLL_REMOVE:
            // libcurl tells us that a socket is closed once its connection stands. One that is still
            // connecting, or the resolver's own, is closed behind our back.
            let transfer = CurlHandle.of(easy)?.transfer
            if let transfer { lookForServer(of: transfer, on: socket) }
            if transfer?.hasStandingConnection == true {
                poller.rest(socket)
            } else {
                poller.forget(socket)
            }
        default:
            poller.watch(
                socket, reading: what & CURL_POLL_IN != 0, writing: what & CURL_POLL_OUT != 0)
        }
    }

    private func timerChanged(_ milliseconds: Int) {
        timer = milliseconds < 0 ? nil : now + UInt64(milliseconds) * 1_000_000
    }

    private func fireTimer() {
        guard let timer, timer <= now else { return }
        self.timer = nil
        act(CURL_SOCKET_TIMEOUT, 0)
    }

    private func act(_ socket: curl_socket_t, _ bits: Int32) {
        var running: Int32 = 0
        _ = curl_multi_socket_action(multi, socket, bits, &running)
        // At once: what is over has a connection that is not in use any more.
        if running < active.count { finishWhatIsDone() }
    }
}
