import CMoyaTesting
import Foundation
import MoyaInternals

/// Runs the tasks of one run of a flow on the thread that calls ``drain()``: one job at a time, in the order in which they
/// became ready.
///
/// Tasks that prefer it, their child tasks, and the actors that they call come by ``enqueue(_:)``. Unstructured and detached tasks prefer
/// no executor: Swift's runtime offers them by a hook as they are enqueued. The executor takes those that its thread enqueues,
/// and tasks that it knows, whichever thread resumes them. No other task of the process is touched. Jobs of the main actor and
/// of executors of the user's own run where they belong: ``waitForArrivals(_:)`` waits for them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
final class FlowExecutor: TaskExecutor {
    private struct State {
        var queue = JobQueue()
        var isClosed = false
    }

    private let state = Locked(State())
    /// Signalled when another thread has enqueued a job.
    private let arrivals = DispatchSemaphore(value: 0)

    private static let active = Locked<[FlowExecutor]>([])
    private static let hook: Void = moya_testing_install_hook { job in
        job.map(FlowExecutor.take) ?? false
    }

    /// Calls `body`. What it and ``drain()`` start are tasks of this executor.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        _ = Self.hook
        Self.active.withLock { $0.append(self) }
        let earlier = moya_testing_executor()
        moya_testing_set_executor(address)
        defer {
            moya_testing_set_executor(earlier)
            Self.active.withLock { $0.removeAll { $0 === self } }
            close()
        }
        return try body()
    }

    private var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: Running

    /// Runs the jobs that are ready, and those that they make ready, until all tasks wait.
    func drain() {
        while let job = state.withLock({ $0.queue.next() }) { run(job) }
    }

    private func run(_ job: Job) {
        if job.prefersExecutor {
            job.unowned.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            moya_testing_run_job(UnsafeMutableRawPointer(bitPattern: job.address))
        }
    }

    /// How many jobs other threads have enqueued.
    var foreignCount: Int { state.withLock(\.queue.foreignCount) }
    /// How many jobs have run.
    var steps: Int { state.withLock(\.queue.steps) }
    /// Whether there were more steps than any flow needs, and the tasks were stopped.
    var isExhausted: Bool { state.withLock(\.queue.isExhausted) }

    /// Stops every task where it is, as the end of a process does.
    func kill() { state.withLock { $0.queue.kill() } }

    /// Lets tasks that were killed go on, so that they end.
    func release() { state.withLock { $0.queue.release() } }

    /// Waits, in real time, for jobs that other threads bring, and readies them. Returns whether there are any.
    ///
    /// - Parameter seconds: How long to wait for the first. What the main thread has to do before is waited for as well.
    func waitForArrivals(_ seconds: TimeInterval) -> Bool {
        if seconds > 0 { passMainQueue() }
        let end = DispatchTime.now() + seconds
        while true {
            if state.withLock({ $0.queue.admitArrivals() }) { return true }
            guard arrivals.wait(timeout: end) == .success else { return false }
        }
    }

    /// Waits until the main thread has done what the run has given it. That may lead to more, a few times over.
    private func passMainQueue() {
        for _ in 0..<3 where Self.servesMainQueue.withLock({ $0 }) {
            let isPassed = DispatchSemaphore(value: 0)
            DispatchQueue.main.async { isPassed.signal() }
            if isPassed.wait(timeout: .now() + 2) == .timedOut {
                Self.servesMainQueue.withLock { $0 = false }
            }
        }
    }

    /// Whether the main thread comes to the jobs of its queue. One that is blocked does not.
    private static let servesMainQueue = Locked(true)

    /// Gives what is left to Swift's global executor. Where a task never ends, nothing goes on: it would keep a thread.
    private func close() {
        var left: [Job] = []
        state.withLock { state in
            state.isClosed = true
            guard !state.queue.isExhausted else { return }
            state.queue.release()
            while let job = state.queue.next() { left.append(job) }
        }
        for job in left { runElsewhere(job) }
    }

    private func runElsewhere(_ job: Job) {
        DispatchQueue.global().async { [self] in run(job) }
    }

    // MARK: Jobs

    func enqueue(_ job: consuming ExecutorJob) {
        // A job is a pointer: the runtime's own functions take it as one.
        let address = unsafeBitCast(UnownedJob(job), to: UInt.self)
        let job = Job(address, prefersExecutor: true)
        if !add(job) { runElsewhere(job) }
    }

    /// `false` where the run is over.
    private func add(_ job: Job) -> Bool {
        let isForeign = moya_testing_executor() != address
        let isAdded = state.withLock { state in
            guard !state.isClosed else { return false }
            state.queue.add(job, isForeign: isForeign)
            return true
        }
        if isAdded, isForeign { arrivals.signal() }
        return isAdded
    }

    /// Whether an executor has taken the job that the runtime enqueues.
    private static func take(_ pointer: UnsafeMutableRawPointer) -> Bool {
        let job = Job(UInt(bitPattern: pointer), prefersExecutor: false)
        if let current = moya_testing_executor() {
            return Unmanaged<FlowExecutor>.fromOpaque(current).takeUnretainedValue().add(job)
        }
        guard job.task != 0 else { return false }
        let owner = active.withLock { active in
            active.first { $0.state.withLock { $0.queue.contains(task: job.task) } }
        }
        return owner?.add(job) ?? false
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension Job {
    fileprivate init(_ address: UInt, prefersExecutor: Bool) {
        let task = UnsafeMutableRawPointer(bitPattern: address).map(moya_testing_task_number) ?? 0
        self.init(address: address, task: task, prefersExecutor: prefersExecutor)
    }

    fileprivate var unowned: UnownedJob { unsafeBitCast(address, to: UnownedJob.self) }
}

/// Runs each job on a thread of its own, which may block without keeping other tasks from a thread of the pool.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        // That of a main thread: flows may recurse.
        thread.stackSize = 8 << 20
        thread.start()
    }
}
