import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import MoyaTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct LeakCheckTests {
    private let check = LeakCheck(.objects, patience: 0)

    private func leaks(after body: () async throws -> Void) async throws -> [String] {
        try await check.leaks(after: body)
    }

    @Test func `a test that ends everything leaves no leaks`() async throws {
        let leaks = try await leaks {
            let clock = TestClock(movesByItself: true)
            let provider = StubbedProvider<Shop>(trackInflights: true, clock: clock)
            provider.stub(.list, with: .sampleData().delayed(by: 5))
            _ = try await provider.request(.list)
            let far = ScriptedTransport()
            far.expect(.get, "/path").respond(.response())
            _ = try await far.send(.test())
            LeakCheck.watch(provider)
            LeakCheck.expectRelease(of: provider)
        }
        #expect(leaks == [])
    }

    @Test func `a stubbed request without an answer is a leak`() async throws {
        let clock = TestClock()
        let transport = Locked<StubTransport?>(nil)
        let task = Locked<Task<Void, Never>?>(nil)
        let leaks = try await leaks {
            let stub = StubTransport(.response().delayed(by: 5), clock: clock)
            transport.withLock { $0 = stub }
            let sending = Task { _ = try? await stub.send(.test()) }
            task.withLock { $0 = sending }
            await clock.waitForSleepers()
        }
        #expect(leaks == ["1 stubbed request still waiting for an answer"])
        task.withLock { $0 }?.cancel()
    }

    @Test func `a sleeper, a held request and an entry in flight are leaks`() async throws {
        let kept = Locked<[any Sendable]>([])
        let tasks = Locked<[Task<Void, Never>]>([])
        let leaks = try await leaks {
            let clock = TestClock()
            let far = ScriptedTransport()
            let provider = StubbedProvider<Shop>(
                callbackQueue: .global(), trackInflights: true, clock: clock)
            provider.stub(.list, with: .silence)
            let exchange = far.expect(.get, "/path")
            kept.withLock { $0 = [clock, far, provider] }
            tasks.withLock {
                $0 = [
                    Task { _ = try? await far.send(.test()) },
                    Task { _ = try? await provider.request(.list) },
                ]
            }
            _ = try await exchange.request()
            await clock.waitForSleepers()
        }
        // The request held by the script is not checked: the script stores its continuation only
        // shortly after the request has arrived.
        #expect(leaks.contains("1 still asleep on a TestClock that was not moved"))
        #expect(leaks.contains("1 stubbed request still waiting for an answer"))
        #expect(leaks.contains("GET https://shop.test/list still in flight"))
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    @Test func `an object that is still retained is a leak`() async throws {
        final class Thing: Sendable {}
        let kept = Locked<Thing?>(nil)
        let leaks = try await leaks {
            let thing = Thing()
            kept.withLock { $0 = thing }
            LeakCheck.expectRelease(of: thing, "the thing")
            LeakCheck.expectRelease(of: Thing())
        }
        #expect(leaks.count == 1)
        #expect(leaks.first?.hasPrefix("the thing of LeakCheckTests.swift:") == true)
    }

    @Test func `the leak check waits for objects that are released late`() async throws {
        final class Thing: Sendable {}
        let kept = Locked<Thing?>(nil)
        let patient = LeakCheck(.objects, patience: 600)
        let leaks = try await patient.leaks {
            let thing = Thing()
            kept.withLock { $0 = thing }
            LeakCheck.expectRelease(of: thing)
            Task.detached { kept.withLock { $0 = nil } }
        }
        #expect(leaks == [])
    }

    @Test func `an open file is a leak`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("open")
        try Data().write(to: file)
        let handles = Locked<[FileHandle]>([])
        let check = LeakCheck(.descriptors, patience: 0)
        let leaks = try await check.leaks {
            let handle = try FileHandle(forWritingTo: file)
            handles.withLock { $0.append(handle) }
        }
        // Other tests may have open files as well, so this looks only for the file of this test.
        let name = folder.url.lastPathComponent
        #expect(leaks.contains { $0.contains("still open: ") && $0.contains(name) })
        try handles.withLock { try $0.forEach { try $0.close() } }

        let none = try await check.leaks { try FileHandle(forWritingTo: file).close() }
        #expect(!none.contains { $0.contains(name) })
    }

    @Test func `a temporary file is a leak`() async throws {
        let folder = try TemporaryFolder()
        let old = folder.file("moya-old.download")
        try Data().write(to: old)
        let check = LeakCheck(.temporaryFiles, patience: 0, folder: folder.url)
        let new = folder.file("moya-new.download")
        let leaks = try await check.leaks {
            try Data().write(to: new)
            try Data().write(to: folder.file("somebody-else"))
        }
        #expect(leaks == ["\(new.path) still there"])
    }

    @Test func `an error of the test is rethrown by the leak check`() async {
        await #expect(throws: URLError(.badURL)) {
            try await leaks { throw URLError(.badURL) }
        }
    }

    @Test func `tests checked for process-wide leaks run one at a time`() async throws {
        let check = LeakCheck([.temporaryFiles], patience: 0)
        let running = Locked((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try await check.leaks {
                        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1)
    }

    @Test func `a leak check within a leak check does not deadlock`() async throws {
        let check = LeakCheck([.temporaryFiles], patience: 0)
        let ran = Locked(false)
        _ = try await check.leaks {
            _ = try await check.leaks { ran.withLock { $0 = true } }
        }
        #expect(ran.withLock { $0 })
    }

    @Test func `a cancelled leak check does not wait for another leak check to end`() async throws {
        let check = LeakCheck([.temporaryFiles], patience: 0)
        _ = try await check.leaks {
            let waiting = Task.detached { try await check.leaks {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test(.leakChecked(by: LeakCheck(.objects, patience: 600)), arguments: 0..<3)
    func `the leak check trait passes tests without leaks`(number: Int) async throws {
        let provider = StubbedProvider<Shop>()
        LeakCheck.expectRelease(of: provider)
        #expect(try await provider.request(.list).statusCode == 200)
    }

    @Test(.leakChecked)
    func `the leak check trait by default ignores files that other tests have opened`() async throws
    {
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let folder = try TemporaryFolder()
        let file = folder.file("open")
        try Data().write(to: file)
        let handles = Locked<[FileHandle]>([])
        try await LeakCheckTrait.leakChecked.provideScope(for: test, testCase: testCase) {
            let handle = try FileHandle(forWritingTo: file)
            handles.withLock { $0.append(handle) }
        }
        try handles.withLock { try $0.forEach { try $0.close() } }
    }

    @Test func `the leak check trait fails tests with leaks`() async throws {
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let trait = LeakCheckTrait.leakChecked(by: check)
        let clock = TestClock()
        let kept = Locked<Task<Void, any Error>?>(nil)
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: testCase) {
                let inner = TestClock()
                let sleeping = Task { try await inner.sleep(for: 1) }
                kept.withLock { $0 = sleeping }
                await inner.waitForSleepers()
            }
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue == """
                    The test leaves something behind:
                      - 1 still asleep on a TestClock that was not moved
                    """
            }
        }
        kept.withLock { $0 }?.cancel()
        #expect(clock.sleeperCount == 0)
    }
}
