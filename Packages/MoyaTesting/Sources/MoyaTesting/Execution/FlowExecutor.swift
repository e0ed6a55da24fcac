import CMoyaTesting
import Foundation
import MoyaInternals

/// Executor of one run of a flow. ``drain()`` runs its jobs on the calling thread, one at a time,
/// in the order in which they became ready.
///
/// Jobs arrive in two ways:
/// - Tasks that prefer this executor, their child tasks, and the actors that they call: the runtime
///   calls ``enqueue(_:)``.
/// - Unstructured and detached tasks, which have no executor preference: the runtime calls the hook
///   of `hook.c` with each job for the global executor. This executor takes the job if the thread
///   that runs the flow enqueues it, or if its task has enqueued a job here before. All other jobs
///   go to the global executor.
///
/// Jobs of the main actor and of the user's own executors run on those executors.
/// ``waitForArrivals(_:)`` waits for the jobs that they enqueue here.
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

    /// Calls `body`. Tasks started by `body`, and by jobs that ``drain()`` runs inside it, belong
    /// to this executor.
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

    /// Runs the ready jobs, and the jobs that become ready meanwhile, until every task is
    /// suspended.
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

    /// Number of jobs that other threads have enqueued.
    var foreignCount: Int { state.withLock(\.queue.foreignCount) }
    /// Number of jobs that have run.
    var steps: Int { state.withLock(\.queue.steps) }
    /// Whether the run reached the step limit of ``JobQueue``, which stopped its tasks.
    var isExhausted: Bool { state.withLock(\.queue.isExhausted) }

    /// Suspends every task at its current suspension point, as if the process had ended.
    func kill() { state.withLock { $0.queue.kill() } }

    /// Resumes killed tasks, so that they can end.
    func release() { state.withLock { $0.queue.release() } }

    /// Waits, in real time, for jobs that other threads enqueue, and makes them ready. Returns
    /// `false` if no job came.
    ///
    /// - Parameter seconds: Timeout for the first job. Unless it is 0, waits for the main queue
    ///   first.
    func waitForArrivals(_ seconds: TimeInterval) -> Bool {
        if seconds > 0 { passMainQueue() }
        let end = DispatchTime.now() + seconds
        while true {
            if state.withLock({ $0.queue.admitArrivals() }) { return true }
            guard arrivals.wait(timeout: end) == .success else { return false }
        }
    }

    /// Waits until the main queue has run the blocks that the run has enqueued there. Waits three
    /// times, because such a block may enqueue another.
    private func passMainQueue() {
        for _ in 0..<3 where Self.servesMainQueue.withLock({ $0 }) {
            let isPassed = DispatchSemaphore(value: 0)
            DispatchQueue.main.async { isPassed.signal() }
            if isPassed.wait(timeout: .now() + 2) == .timedOut {
                Self.servesMainQueue.withLock { $0 = false }
            }
        }
    }

    /// Whether the main thread serves the main queue. Set to `false`, for the rest of the process,
    /// once a block has not run there within 2 seconds: the main thread is blocked.
    private static let servesMainQueue = Locked(true)

    /// Closes the executor and runs the remaining jobs, including those of killed tasks, on a
    /// global dispatch queue. After the step limit, the jobs stay suspended: a task that never ends
    /// would occupy a thread forever.
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
        // The runtime's C functions take a job as a pointer.
        let address = unsafeBitCast(UnownedJob(job), to: UInt.self)
        let job = Job(address, prefersExecutor: true)
        if !add(job) { runElsewhere(job) }
    }

    /// Enqueues `job`. Returns `false` if the run is over.
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

    /// Offers a job for the global executor to the executors of the explorations under way. Returns
    /// whether one has taken it.
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

/// Runs each job on a new thread. A job may block, because it occupies no thread of the cooperative
/// pool.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        // The usual stack size of a main thread, because flows may recurse.
        thread.stackSize = 8 << 20
        thread.start()
    }
}
