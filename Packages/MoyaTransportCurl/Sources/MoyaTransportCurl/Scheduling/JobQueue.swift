#if CURL
/// Pieces of Swift tasks that run on the loop's thread. A job keeps its executor alive.
struct JobQueue {
    private var jobs = SwapBuffer<UnownedJob>()
    /// Runs one. `nil` where the system's Swift has no executors for tasks.
    var run: ((UnownedJob) -> Void)?

    var isEmpty: Bool { jobs.isEmpty }

    mutating func append(_ job: UnownedJob) { jobs.append(job) }
    mutating func takeAll() -> [UnownedJob] { jobs.takeAll() }
    mutating func giveBack(_ array: consuming [UnownedJob]) { jobs.giveBack(array) }
}
#endif
