#if CURL
/// Jobs of Swift tasks, to run on the loop's thread.
///
/// A class, because a running job may append others.
final class JobQueue<Job> {
    @exclusivity(unchecked) private var jobs = SwapBuffer<Job>()
    /// Whether a job is running, so that the thread is not inside libcurl.
    private(set) var isRunning = false
    /// Runs a job. `nil` if the system's Swift runtime has no task executors.
    var run: ((Job) -> Void)?

    var isEmpty: Bool { jobs.isEmpty }

    func append(_ job: Job) { jobs.append(job) }

    /// Runs the jobs that are queued now. Jobs that they append wait for the next call. Returns
    /// whether there were any.
    func runAll() -> Bool {
        guard !jobs.isEmpty, let run else { return false }
        let ready = jobs.takeAll()
        isRunning = true
        for job in ready { run(job) }
        isRunning = false
        jobs.giveBack(ready)
        return true
    }
}
#endif
