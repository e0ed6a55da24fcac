import Moya
import Testing

// Uses of Swift's `Task` that are unchanged with `import Moya` alone. SwiftTaskTypeTests has the
// others.

private struct Service: TargetType {
    let baseURL = URL(fileURLWithPath: "/")
    let path = ""
    let method = Moya.Method.get
    let task: Task = .requestPlain
    let headers: [String: String]? = nil
}

private func one() async throws -> Int { 1 }

@Suite struct SwiftTaskTests {
    @Test func `With import Moya, a target declares its task as Task`() {
        guard case .none = Service().task.body else {
            Issue.record("\(Service().task)")
            return
        }
    }

    @Test func `With import Moya, Task with a closure starts a Swift task`() async throws {
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
    func `With import Moya, Task with an executor preference starts a task`() async throws {
        let executor = globalConcurrentExecutor
        #expect(await Task(executorPreference: executor) { 1 }.value == 1)
        #expect(await Task(executorPreference: executor, priority: .low) { 1 }.value == 1)
        #expect(try await Task(name: "a", executorPreference: executor, operation: one).value == 1)
        #expect(await Task.detached(executorPreference: executor) { 1 }.value == 1)
        #expect(try await Task.detached(executorPreference: executor, operation: one).value == 1)
    }

    @Test @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func `With import Moya, Task starts named tasks, and Task.immediate starts a task`()
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
    func `With import Moya, Task.sleep waits, and throws when cancelled`() async throws {
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
    func `With import Moya, Task has the cancellation and priority of the current task`() async {
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
