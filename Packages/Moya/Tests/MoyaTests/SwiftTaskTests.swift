import Moya
import Testing

// Swift's `Task` where `import Moya` is the only import: what is written as it is without. SwiftTaskTypeTests has the rest.

private struct Service: TargetType {
    let baseURL = URL(fileURLWithPath: "/")
    let path = ""
    let method = Moya.Method.get
    let task: Task = .requestPlain
    let headers: [String: String]? = nil
}

private func one() async throws -> Int { 1 }

@Suite struct SwiftTaskTests {
    @Test func `The target of the file has Moya's task`() {
        guard case .none = Service().task.body else {
            Issue.record("\(Service().task)")
            return
        }
    }

    @Test func `Task with a closure starts a task`() async throws {
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
    func `Task with an executor starts a task there`() async throws {
        let executor = globalConcurrentExecutor
        #expect(await Task(executorPreference: executor) { 1 }.value == 1)
        #expect(await Task(executorPreference: executor, priority: .low) { 1 }.value == 1)
        #expect(try await Task(name: "a", executorPreference: executor, operation: one).value == 1)
        #expect(await Task.detached(executorPreference: executor) { 1 }.value == 1)
        #expect(try await Task.detached(executorPreference: executor, operation: one).value == 1)
    }

    @Test @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func `Task with a name starts a task of that name, Task.immediate one that runs at once`()
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
    func `Task waits`() async throws {
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
    func `Task knows the current task`() async {
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
