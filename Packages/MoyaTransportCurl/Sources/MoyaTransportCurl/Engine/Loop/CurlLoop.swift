#if CURL
import MoyaCore
import MoyaInternals

/// A thread that runs transfers with libcurl's multi interface, event-driven.
///
/// Other threads send it commands. Only this thread calls libcurl, and only it uses a transfer once
/// that has been submitted.
final class CurlLoop: Sendable {
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        /// Runs a job of a Swift task on the loop.
        case run(UnownedJob)
        /// Runs work between transfers. The driver is `nil` if the loop has ended.
        case perform(@Sendable (CurlDriver?) -> Void)
        case stop
    }

    private let inbox = Locked(Inbox<Command>())
    private let waker: Waker
    // Safe: only the loop's thread uses it.
    private nonisolated(unsafe) let runner: LoopRunner

    /// - Parameter count: The number of loops that share the process's descriptor and connection
    ///   limits.
    init(
        _ configuration: CurlTransport.Configuration, shareOf count: Int, options: OptionCheck
    ) throws {
        let driver = try CurlDriver(configuration, shareOf: count, options: options)
        waker = driver.poller.waker
        let runner = LoopRunner(driver, inbox)
        self.runner = runner
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) {
            // Unowned, because the loop owns the driver. A job that runs on the loop keeps the loop
            // alive.
            let me = asUnownedTaskExecutor()
            runner.jobs.run = { $0.runSynchronously(on: me) }
        }
        do {
            try LoopThread.start { runner.run() }
        } catch {
            runner.tearDown()
            throw error
        }
    }

    /// Whether the caller runs on the loop's thread.
    var isCurrent: Bool { LoopThread.isThread(of: runner) }

    /// The number of transfers, as a recent estimate.
    var load: Int { inbox.withLock(\.load) }

    /// Starts `transfer`. After ``stop()``, fails it with `URLError(.cancelled)`.
    func start(_ transfer: Transfer) {
        // A task on the loop's thread starts the transfer directly: the thread is not inside
        // libcurl while a task runs.
        if isCurrent, runner.jobs.isRunning {
            // If this task was cancelled, its cancellation handler may already have put the cancel
            // into the inbox. The loop would take that after `start`, and the request would be sent
            // first. So cancellation is checked here.
            if Task.isCancelled { return transfer.finish(.failure(URLError(.cancelled))) }
            // The task may have run for long since the last reading of the clock.
            let driver = runner.driver
            driver.now = LoopClock.now()
            driver.start(transfer)
        } else if !submit(.start(transfer), load: 1) {
            transfer.finish(.failure(URLError(.cancelled)))
        }
    }

    /// Runs `work` on the loop's thread.
    ///
    /// - Throws: `URLError(.cancelled)` once the loop has been stopped.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (CurlDriver) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = submit(
                .perform { driver in
                    continuation.resume(
                        with: Result {
                            guard let driver else { throw URLError(.cancelled) }
                            return try work(driver)
                        })
                })
            if !isTaken { continuation.resume(throwing: URLError(.cancelled)) }
        }
    }

    /// Runs `job` on the loop. Returns `false` if the loop has ended.
    func run(_ job: UnownedJob) -> Bool {
        if isCurrent {
            runner.jobs.append(job)
            return true
        }
        return inbox.withLock { wake($0.submitJob(.run(job))) }
    }

    /// Stops the loop. Running transfers fail with `URLError(.cancelled)`.
    func stop() { _ = inbox.withLock { wake($0.stop(.stop)) } }

    /// Waits until the loop has closed everything after ``stop()``.
    func waitUntilClosed() async {
        // Resumed once: by the loop, which takes the continuation out of the inbox, or here.
        await withUnsafeContinuation { continuation in
            let isClosed = inbox.withLock { $0.waitUntilClosed(continuation) }
            if isClosed { continuation.resume() }
        }
    }

    /// Submits `command`. Returns whether the loop accepts it.
    @discardableResult
    private func submit(_ command: Command, load: Int = 0) -> Bool {
        inbox.withLock { wake($0.submit(command, load: load)) }
    }

    /// Wakes the loop's thread if it is asleep. Returns whether the loop accepts the command.
    ///
    /// Called with the inbox's lock held. The loop takes the same lock to mark itself as over
    /// before it closes its descriptors, so the waker's descriptor is open here.
    private func wake(_ wakes: Bool?) -> Bool {
        if wakes == true { waker.wake() }
        return wakes != nil
    }
}

extension CurlLoop {
    /// Cancels `transfer`.
    func cancel(_ transfer: Transfer) { submit(.cancel(transfer)) }

    /// Resumes a transfer that is paused in `direction`.
    func proceed(_ transfer: Transfer, with direction: Pause) {
        submit(.perform { $0?.proceed(transfer, with: direction) })
    }
}

/// Runs Swift tasks on the loop's thread, so that responses need no thread switch.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension CurlLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if run(job) { return }
        // The loop's thread has ended, but the task must finish.
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A transport's loops, and the choice of a loop for each request.
struct LoopGroup: Sendable {
    let loops: [CurlLoop]

    /// Number of transfers up to which a loop takes every request. One thread serves that many more
    /// efficiently than two, and their requests share more connections.
    private static let fillLevel = 64

    /// - Parameter makeLoop: Creates each loop. Receives the number of all loops.
    init(
        _ configuration: CurlTransport.Configuration,
        makeLoop: (CurlTransport.Configuration, Int) throws -> CurlLoop
    ) throws {
        let count = configuration.loopCount
        var loops: [CurlLoop] = []
        do {
            for _ in 0..<count { loops.append(try makeLoop(configuration, count)) }
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
        self.loops = loops
    }

    /// The first loop, which holds the cookies.
    var first: CurlLoop { loops[0] }

    /// The loop for a request: the calling thread's loop, or else the first loop with few
    /// transfers, or the loop with the fewest transfers.
    func pick() -> CurlLoop {
        if loops.count == 1 { return first }
        if let own = loops.first(where: \.isCurrent) { return own }
        var best = (loop: first, load: Int.max)
        for loop in loops {
            let load = loop.load
            if load < Self.fillLevel { return loop }
            if load < best.load { best = (loop, load) }
        }
        return best.loop
    }

    func stop() { for loop in loops { loop.stop() } }

    func waitUntilClosed() async { for loop in loops { await loop.waitUntilClosed() } }
}
#endif
