import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaStubs

@Suite(.timeLimit(.minutes(3))) struct ScriptLeakTests {
    @Test(arguments: [
        (1, "1 request still held by a ScriptedTransport"),
        (2, "2 requests still held by a ScriptedTransport"),
    ])
    func `requests that a script holds without an answer are a leak until it is finished`(
        count: Int, leak: String
    ) async throws {
        let far = ScriptedTransport(reporter: Issues().reporter)
        #expect(far.leaks == [])
        for _ in 0..<count { _ = far.expect(.get, "/path") }
        let tasks = (0..<count).map { _ in Task { try await far.send(.test()) } }
        // A request is held shortly after it has arrived.
        try await until { far.state.withLock(\.heldCount) == count }
        #expect(far.leaks == [leak])
        far.finish()
        for task in tasks {
            await #expect(throws: ScriptError.self) { try await task.value }
        }
        #expect(far.leaks == [])
    }
}
