import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The queue of task jobs, with numbers as jobs.
@Suite struct JobQueueTests {
    @Test func `jobs run once, in the order in which they were added`() {
        let queue = JobQueue<Int>()
        var done: [Int] = []
        queue.run = { done.append($0) }
        #expect(queue.runAll() == false)
        for job in 1...3 { queue.append(job) }
        #expect(!queue.isEmpty)
        #expect(queue.runAll() == true)
        #expect(done == [1, 2, 3])
        #expect(queue.isEmpty)
        #expect(queue.runAll() == false)
        #expect(done == [1, 2, 3])
    }

    /// Otherwise a task that always has another job would keep the loop from its sockets.
    @Test func `a job added by a running job waits for the next round`() {
        let queue = JobQueue<Int>()
        var done: [Int] = []
        queue.run = { [unowned queue] job in
            done.append(job)
            if job < 3 { queue.append(job + 1) }
        }
        queue.append(1)
        for count in 1...3 {
            #expect(queue.runAll() == true)
            #expect(done == Array(1...count))
        }
        #expect(queue.runAll() == false)
    }

    @Test func `the queue reports that a job is running, from the first job to the last`() {
        let queue = JobQueue<Int>()
        var reports: [Bool] = []
        queue.run = { [unowned queue] _ in reports.append(queue.isRunning) }
        queue.append(1)
        queue.append(2)
        #expect(!queue.isRunning)
        #expect(queue.runAll() == true)
        #expect(reports == [true, true])
        #expect(!queue.isRunning)
    }

    @Test func `jobs stay in the queue while the runtime cannot run them`() {
        let queue = JobQueue<Int>()
        queue.append(1)
        #expect(queue.runAll() == false)
        #expect(!queue.isEmpty)
        var done: [Int] = []
        queue.run = { done.append($0) }
        #expect(queue.runAll() == true)
        #expect(done == [1])
    }
}
