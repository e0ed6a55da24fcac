#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// The thread that carries every transfer of a transport.
///
/// Others talk to it through a queue of commands. It drives libcurl's multi interface by events, and is the
/// only one to touch libcurl or a transfer once that has been submitted.
final class CurlLoop: Sendable {
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        /// A piece of a Swift task that runs on the loop.
        case run(UnownedJob)
        /// Something to do between transfers. It gets no driver if the loop is over.
        case perform(@Sendable (CurlDriver?) -> Void)
        case stop
    }

    private let inbox = Locked(Inbox<Command>())
    private let waker: Waker
    private let driver: Unchecked<CurlDriver>

    /// - Parameter count: How many loops share what the process may open.
    init(
        _ configuration: CurlTransport.Configuration, shareOf count: Int = 1,
        options: OptionCheck = OptionCheck()
    ) throws {
        let driver = try CurlDriver(configuration, inbox, shareOf: count, options: options)
        waker = driver.poller.waker
        self.driver = Unchecked(driver)
        let box = self.driver
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) {
            // Unowned, for the loop owns the driver. A job that runs on the loop keeps it alive.
            let me = asUnownedTaskExecutor()
            driver.jobs.run = { $0.runSynchronously(on: me) }
        }
        do {
            try LoopThread.start { box.value.run() }
        } catch {
            driver.tearDown()
            throw error
        }
    }

    /// Whether the caller runs on the loop's thread.
    var isCurrent: Bool { LoopThread.isThread(of: driver.value) }

    /// How many transfers it has, as of a moment ago.
    var load: Int { inbox.withLock(\.load) }

    /// Starts `transfer`, or ends it at once after ``stop()``.
    func start(_ transfer: Transfer) {
        // A task that lives on the loop needs no queue: the thread is not inside libcurl while a task runs.
        if isCurrent, driver.value.isRunningJob {
            // A cancel of this task goes through the inbox. The task's cancellation handler may have left it there before this
            // line, and the loop would take it after `start`: the request would be sent first. So the task is asked.
            if Task.isCancelled { return transfer.finish(.failure(URLError(.cancelled))) }
            // The task may have computed for a while.
            driver.value.now = LoopClock.now()
            driver.value.start(transfer)
        } else if !submit(.start(transfer), load: 1) {
            transfer.finish(.failure(URLError(.cancelled)))
        }
    }

    /// Does `work` on the loop's thread.
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

    /// Runs `job` on the loop. Returns whether there still is one.
    func run(_ job: UnownedJob) -> Bool {
        if isCurrent {
            driver.value.jobs.append(job)
            return true
        }
        return inbox.withLock { wake($0.submitJob(.run(job))) }
    }

    func stop() {
        _ = inbox.withLock { wake($0.stop(.stop)) }
    }

    /// Waits until everything is closed after ``stop()``.
    func waitUntilClosed() async {
        // Resumed once: by the loop, which takes it out of the inbox, or at once.
        await withUnsafeContinuation { continuation in
            let isClosed = inbox.withLock { $0.waitUntilClosed(continuation) }
            if isClosed { continuation.resume() }
        }
    }

    /// Leaves `command` for the loop. Returns whether the loop takes it.
    @discardableResult
    private func submit(_ command: Command, load: Int = 0) -> Bool {
        inbox.withLock { wake($0.submit(command, load: load)) }
    }

    /// Wakes the loop's thread for a command, where that is asleep. Returns whether the loop takes the command.
    ///
    /// Under the inbox's lock: the loop closes its descriptors only after it has taken the same lock to say that it is over, so
    /// the waker's is open.
    private func wake(_ submission: Inbox<Command>.Submission) -> Bool {
        switch submission {
        case .refused: return false
        case .taken(let wakes):
            if wakes { waker.wake() }
            return true
        }
    }
}

extension CurlLoop: TransferLoop {
    func cancel(_ transfer: Transfer) { submit(.cancel(transfer)) }

    func proceed(_ transfer: Transfer, with direction: Pause) {
        submit(.perform { $0?.proceed(transfer, with: direction) })
    }
}

/// Runs Swift tasks on its thread, so that a response need not cross to another one.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension CurlLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if run(job) { return }
        // The loop's thread has ended, but a task that still runs on it must get to an end.
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Carries a value to the one thread that is going to use it.
struct Unchecked<Value>: @unchecked Sendable {
    // Safe: the sender gives the value up, or uses it on that thread alone.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The loops of a transport, and which of them takes a request.
struct LoopGroup: Sendable {
    let loops: [CurlLoop]

    /// How many transfers a loop has before the next one gets some. One thread serves these with less effort
    /// than two, and the requests to a host share more connections.
    private static let fillLevel = 64

    /// - Parameter makeLoop: Makes each. Tests have it fail.
    init(
        _ configuration: CurlTransport.Configuration,
        makeLoop: (CurlTransport.Configuration, Int) throws -> CurlLoop = {
            try CurlLoop($0, shareOf: $1)
        }
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

    /// The first loop, which has the cookies.
    var first: CurlLoop { loops[0] }

    /// The loop for a request: the one whose thread asks, or one that has little to do.
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

    func stop() {
        for loop in loops { loop.stop() }
    }

    func waitUntilClosed() async {
        for loop in loops { await loop.waitUntilClosed() }
    }
}

extension CurlTransport.Configuration {
    /// How many loops there are. Limits on connections and cookies are kept in one place, so they need one
    /// loop.
    var loopCount: Int {
        let isShared =
            maxConnections > 0 || (ownMaxConnectionsPerHost ?? 0) > 0 || cookies != .none
        return isShared ? 1 : min(max(1, threads), 64)
    }
}
#endif
