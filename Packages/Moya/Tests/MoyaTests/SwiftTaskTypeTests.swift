import Moya
import Testing

import struct _Concurrency.Task

// With the third import above, `Task` is Swift's type in this file. Without that import, the name
// of the type is `_Concurrency.Task`.

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

@Suite struct SwiftTaskTypeTests {
    @Test func `With Swift's Task imported, a target declares its task as Moya.Task`() {
        guard case .none = Service.ping.task.body else {
            Issue.record("\(Service.ping.task)")
            return
        }
    }

    @Test func `With Swift's Task imported, Task is Swift's type`() async throws {
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

    @Test func `With Swift's Task imported, a generic Task starts a task`() async throws {
        #expect(await Task<Int, Never> { 1 }.value == 1)
        #expect(try await Task<Int, any Error> { try await one() }.value == 1)
        #expect(await Task<Int, Never>(priority: .high) { 1 }.value == 1)
        #expect(await Task<Int, Never>.init { 1 }.value == 1)
        #expect(await Task.init { 1 }.value == 1)
        #expect(await Task<Int, Never>.detached { 1 }.value == 1)
        try await Task<Never, Never>.sleep(nanoseconds: 1)
        #expect(!Task<Never, Never>.isCancelled)
    }

    @Test func `With Swift's Task imported, Task with a closure starts a task`()
        async throws
    {
        #expect(await Task { 1 }.value == 1)
        #expect(try await Task { try await one() }.value == 1)
        #expect(await Task(priority: .high) { 1 }.value == 1)
        #expect(await Task(name: "a") { 1 }.value == 1)
        #expect(await Task.detached { 1 }.value == 1)
    }

    @Test func `With import Moya, _Concurrency.Task is the type of Swift's Task`() async {
        let task: _Concurrency.Task<Int, Never> = Task { 1 }
        #expect(await task.value == 1)
    }
}
