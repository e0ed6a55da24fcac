import MoyaKit
import Testing

// All uses of Swift's `Task`, in a file with a target. MoyaTests has the same uses with `import
// Moya`.

private enum Service: TargetType {
    case ping

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}

private typealias Job = Task<Int, Never>
private typealias JobOf<Value: Sendable> = Task<Value, any Error>

private enum State {
    case idle
    case running(Task<Int, Never>)
}

private final class Jobs {
    var last: Task<Int, any Error>?
    var all: [Task<Int, Never>] = []
    var byName: [String: Task<Int, Never>] = [:]
    var unique: Set<Task<Int, Never>> = []
    var onStart: ((Task<Int, Never>) -> Void)?

    func started() -> Task<Int, Never> { Task { 1 } }

    func keep(_ task: Task<Int, Never>) {
        all.append(task)
        byName["last"] = task
        unique.insert(task)
        onStart?(task)
    }

    func value<Value, Failure>(of task: Task<Value, Failure>) async throws -> Value {
        try await task.value
    }
}

extension Task where Success == Int, Failure == Never {
    fileprivate var doubled: Int { get async { await value * 2 } }
}

private func one() async throws -> Int { 1 }

@Suite struct SwiftTaskTests {
    @Test func `With import MoyaKit, a target declares its task as Moya.Task`() {
        guard case .none = Service.ping.task.body else {
            Issue.record("\(Service.ping.task)")
            return
        }
    }

    @Test func `With import MoyaKit, Task is Swift's type`() async throws {
        let jobs = Jobs()
        let task: Task<Int, Never> = jobs.started()
        var started: [Task<Int, Never>] = []
        jobs.onStart = { started.append($0) }
        jobs.keep(task)
        jobs.last = Task { try await one() }
        let job: Job = task
        let throwing: JobOf<Int> = Task { try await one() }
        #expect(started == jobs.all && jobs.unique == [job] && jobs.byName["last"] == task)
        #expect(try await jobs.value(of: task) + throwing.value == 2)
        #expect(try await jobs.last?.value == 1)
        #expect(await task.doubled == 2)
        guard case .running(let running) = State.running(task) else {
            Issue.record("State.running has another value.")
            return
        }
        #expect((running as Any) as? Task<Int, Never> == task)
        #expect(Task<Int, Never>.self == Job.self)
    }

    @Test func `With import MoyaKit, a generic Task starts a task`() async throws {
        #expect(await Task<Int, Never> { 1 }.value == 1)
        #expect(try await Task<Int, any Error> { try await one() }.value == 1)
        #expect(await Task<Int, Never>(priority: .high) { 1 }.value == 1)
        #expect(await Task<Int, Never>.init { 1 }.value == 1)
        #expect(await Task.init { 1 }.value == 1)
        #expect(await Task<Int, Never>.detached { 1 }.value == 1)
        try await Task<Never, Never>.sleep(nanoseconds: 1)
        #expect(!Task<Never, Never>.isCancelled)
    }

    @Test func `With import MoyaKit, Task with a closure starts a task`() async throws {
        #expect(await Task { 1 }.value == 1)
        #expect(try await Task { try await one() }.value == 1)
        #expect(await Task { @MainActor in 1 }.value == 1)
        #expect(await Task(priority: .high) { 1 }.value == 1)
        #expect(try await Task(operation: one).value == 1)
        #expect(await Task.detached { 1 }.value == 1)
        #expect(try await Task.detached { try await one() }.value == 1)
        #expect(await Task.detached(priority: .low) { 1 }.value == 1)
    }

    @Test @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func `With import MoyaKit, Task with an executor preference starts a task`() async throws {
        let executor = globalConcurrentExecutor
        #expect(await Task(executorPreference: executor) { 1 }.value == 1)
        #expect(await Task(executorPreference: executor, priority: .low) { 1 }.value == 1)
        #expect(try await Task(name: "a", executorPreference: executor, operation: one).value == 1)
        #expect(await Task.detached(executorPreference: executor) { 1 }.value == 1)
        #expect(try await Task.detached(executorPreference: executor, operation: one).value == 1)
    }

    @Test @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func `With import MoyaKit, Task starts named tasks, and Task.immediate starts a task`()
        async throws
    {
        #expect(await Task(name: "a") { Task.name }.value == "a")
        #expect(try await Task(name: "a", priority: .low, operation: one).value == 1)
        #expect(await Task.detached(name: "a") { Task.name }.value == "a")
        #expect(await Task.immediate { 1 }.value == 1)
        #expect(await Task.immediate(name: "a", priority: .low) { Task.name }.value == "a")
        #expect(try await Task.immediate { try await one() }.value == 1)
        #expect(await Task.immediateDetached { 1 }.value == 1)
    }

    @Test @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    func `With import MoyaKit, Task.sleep waits, and throws when cancelled`() async throws {
        await Task.yield()
        try await Task.sleep(nanoseconds: 1)
        try await Task.sleep(for: .nanoseconds(1))
        try await Task.sleep(for: .nanoseconds(1), tolerance: .zero)
        try await Task.sleep(for: .nanoseconds(1), tolerance: .zero, clock: .suspending)
        try await Task.sleep(until: .now)
        try await Task.sleep(until: .now, clock: .continuous)
        try await Task.sleep(until: .now, tolerance: .zero, clock: .suspending)
        await #expect(throws: CancellationError.self) {
            let waiting = Task {
                try await Task.sleep(until: .now + .seconds(60), clock: .continuous)
            }
            waiting.cancel()
            try await waiting.value
        }
    }

    @Test @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    func `With import MoyaKit, Task has the cancellation and priority of the current task`() async {
        let task = Task(priority: .low) {
            while !Task.isCancelled { await Task.yield() }
            #expect(throws: CancellationError.self) { try Task.checkCancellation() }
            #expect(Task.currentPriority >= .low)
            return Task.basePriority
        }
        task.cancel()
        #expect(await task.value == .low)
    }
}
