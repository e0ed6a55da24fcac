#if CURL
/// Jobs of Swift tasks that run on the loop's thread. A job keeps its executor alive.
struct JobQueue {
    private var jobs = SwapBuffer<UnownedJob>()
    /// Runs a job. `nil` if the system's Swift runtime has no task executors.
    var run: ((UnownedJob) -> Void)?

    var isEmpty: Bool { jobs.isEmpty }

    mutating func append(_ job: UnownedJob) { jobs.append(job) }
    mutating func takeAll() -> [UnownedJob] { jobs.takeAll() }
    mutating func giveBack(_ array: consuming [UnownedJob]) { jobs.giveBack(array) }
}
#endif
