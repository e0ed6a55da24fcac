import Testing

@testable import MoyaTesting

@Suite struct JobQueueTests {
    private func job(_ number: UInt, ofTask: Bool = true) -> Job {
        Job(address: number, task: ofTask ? UInt64(number) : 0, prefersExecutor: true)
    }

    private func drain(_ queue: inout JobQueue) -> [UInt] {
        var order: [UInt] = []
        while let job = queue.next() { order.append(job.address) }
        return order
    }

    @Test func `A job queue returns jobs in the order of their arrival`() {
        var queue = JobQueue()
        for number in 1...3 as ClosedRange<UInt> { queue.add(job(number)) }
        #expect(drain(&queue) == [1, 2, 3])
        #expect(queue.steps == 3)
    }

    @Test func `Jobs from other threads wait until the run's own jobs are done`() {
        var queue = JobQueue()
        queue.add(job(1))
        queue.add(job(2), isForeign: true)
        queue.add(job(3))
        #expect(drain(&queue) == [1, 3])
        let hasArrivals = queue.admitArrivals()
        #expect(hasArrivals)
        #expect(drain(&queue) == [2])
        let hasMore = queue.admitArrivals()
        #expect(!hasMore)
        #expect(queue.foreignCount == 1)
    }

    @Test func `A job queue recognizes tasks after their jobs have run`() {
        var queue = JobQueue()
        queue.add(job(1))
        #expect(drain(&queue) == [1])
        #expect(queue.contains(task: 1))
        #expect(!queue.contains(task: 2))
    }

    @Test func `A killed task does not run before it is released`() {
        var queue = JobQueue()
        queue.add(job(1))
        queue.add(job(2))
        queue.add(job(3, ofTask: false))
        queue.kill()
        #expect(drain(&queue) == [3])
        queue.add(job(1))
        queue.add(job(4))
        #expect(drain(&queue) == [4])
        queue.release()
        #expect(drain(&queue) == [1, 2, 1])
    }

    @Test func `A job queue stops a task that never ends at the step limit`() {
        var queue = JobQueue()
        queue.add(job(1))
        while let job = queue.next() { queue.add(job) }
        #expect(queue.isExhausted)
        #expect(queue.steps == 200_000)
        queue.release()
        while let job = queue.next() { queue.add(job) }
        #expect(queue.steps == 220_000)
    }
}
