import Foundation
import MoyaInternals
import Testing

@testable import MoyaTesting

@Suite(.timeLimit(.minutes(3))) struct FlowExecutorTests {
    @TaskLocal static var name = "none"

    /// Runs tasks of all kinds and returns their steps in order. A step on another thread than the
    /// executor's ends with “elsewhere”.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func steps() async -> [String] {
        await withTaskExecutorPreference(ThreadExecutor()) {
            let thread = pthread_self()
            let names = Locked<[String]>([])
            let add = { @Sendable (name: String) in
                let isElsewhere = pthread_equal(pthread_self(), thread) == 0
                names.withLock {
                    $0.append("\(name) \(Self.name)\(isElsewhere ? " elsewhere" : "")")
                }
            }
            let executor = FlowExecutor()
            let isOver = Locked(false)
            executor.run {
                Task(executorPreference: executor) {
                    await flow(add)
                    isOver.withLock { $0 = true }
                }
                executor.drain()
            }
            #expect(isOver.withLock { $0 })
            #expect(executor.foreignCount == 0)
            return names.withLock { $0 }
        }
    }

    private static func flow(_ add: @escaping @Sendable (String) -> Void) async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask {
                    add("child \(number)")
                    await Task.yield()
                    await counter.run { add("actor \(number)") }
                    await Task { add("unstructured \(number)") }.value
                    await counter.run { add("actor again \(number)") }
                }
            }
            group.addTask { await Task.detached { add("detached") }.value }
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let producer = Task {
            for number in 1...3 {
                continuation.yield(number)
                await counter.run { add("produces \(number)") }
            }
            continuation.finish()
        }
        for await number in stream { add("consumes \(number)") }
        await producer.value
    }

    private actor Counter {
        func run(_ body: @Sendable () -> Void) { body() }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(.timeLimit(.minutes(1)))
    func
        `A flow executor runs tasks of all kinds in the same order beside other tasks`()
        async
    {
        await Self.$name.withValue("test") {
            await withTaskGroup(of: Void.self) { group in
                let isOver = Locked(false)
                for _ in 0..<4 {
                    group.addTask {
                        while !isOver.withLock({ $0 }) {
                            await Task {}.value
                            await Task.yield()
                        }
                    }
                }
                let first = await Self.steps()
                #expect(first.count == 19)
                #expect(!first.contains { $0.hasSuffix("elsewhere") })
                #expect(first.contains("unstructured 3 test"))
                #expect(first.contains("detached none"))
                for _ in 0..<50 {
                    let again = await Self.steps()
                    #expect(again == first)
                }
                isOver.withLock { $0 = true }
            }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(.timeLimit(.minutes(1)))
    func `A task that another thread resumes returns to its flow executor and is counted`() async {
        let isBack = await withTaskExecutorPreference(ThreadExecutor()) {
            let thread = pthread_self()
            let executor = FlowExecutor()
            return executor.run {
                let isBack = Locked<Bool?>(nil)
                let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
                Task {
                    await withCheckedContinuation { continuation in
                        waiting.withLock { $0 = continuation }
                    }
                    isBack.withLock { $0 = pthread_equal(pthread_self(), thread) != 0 }
                }
                executor.drain()
                let continuation = waiting.withLock { $0 }
                DispatchQueue.global().async { continuation?.resume() }
                #expect(executor.waitForArrivals(10))
                executor.drain()
                #expect(executor.foreignCount == 1)
                return isBack.withLock { $0 }
            }
        }
        #expect(isBack == true)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(.timeLimit(.minutes(1)))
    func `A task that is suspended when its flow executor closes continues on another thread`()
        async
    {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = await withTaskExecutorPreference(ThreadExecutor()) {
            let executor = FlowExecutor()
            return executor.run {
                let task = Task(executorPreference: executor) {
                    var iterator = stream.makeAsyncIterator()
                    return await iterator.next()
                }
                executor.drain()
                return task
            }
        }
        continuation.yield(7)
        #expect(await task.value == 7)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test(.timeLimit(.minutes(1)))
    func `A task that never ends does not continue after its flow executor has closed`() async {
        let steps = Locked(0)
        let isToEnd = Locked(false)
        let count = await withTaskExecutorPreference(ThreadExecutor()) {
            let executor = FlowExecutor()
            return executor.run {
                Task(executorPreference: executor) {
                    while !isToEnd.withLock({ $0 }) {
                        steps.withLock { $0 += 1 }
                        await Task.yield()
                    }
                }
                executor.drain()
                #expect(executor.isExhausted)
                return steps.withLock { $0 }
            }
        }
        for _ in 0..<1000 {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume() }
            }
        }
        #expect(steps.withLock { $0 } == count)
        isToEnd.withLock { $0 = true }
    }
}
