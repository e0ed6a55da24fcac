import Foundation
import MoyaCore
import MoyaInternals

/// The far side of a conversation, one exchange after the other: what comes in another order than the script has
/// it, or is not in it, fails with ``ScriptError``.
///
/// ```swift
/// let far = ScriptedTransport()
/// far.expect(.get, "/users/1").respond(.response(401))
/// let refresh = far.expect(.post, "/token")
/// far.expect(.get, "/users/1").respond(try .json(["login": "ashfurrow"]))
///
/// async let user = provider.request(.user(1))
/// let request = try await refresh.request()      // waits until it comes
/// #expect(request.header("Authorization") == nil)
/// refresh.respond(try .json(["access_token": "new"]))
/// _ = try await user
/// far.finish()                                   // all of it came, and nothing else
/// ```
public final class ScriptedTransport: Transport {
    let state = Locked(ScriptState())
    let clock: TestClock?
    let reporter: IssueReporter

    /// A far side that expects nothing yet.
    ///
    /// - Parameters:
    ///   - clock: The time that delays of answers go by. `nil` is real time.
    ///   - reporter: Takes what ``finish(fileID:filePath:line:column:)`` finds.
    public init(clock: TestClock? = nil, reporter: IssueReporter = .standard) {
        self.clock = clock
        self.reporter = reporter
        LeakScope.current?.watch(self)
    }

    /// Expects a request of this method and path, after what is expected already. Say with `respond` how it is
    /// answered, now or when it has come.
    ///
    /// - Parameter path: A template: `/users/{id}`.
    public func expect(
        _ method: HTTPMethod, _ path: String, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> ScriptedExchange {
        expect(
            .method(method) && .path(path), fileID: fileID, filePath: filePath, line: line,
            column: column)
    }

    /// Expects a request that `matcher` picks, after what is expected already.
    public func expect(
        _ matcher: RequestMatcher, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> ScriptedExchange {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let index = state.withLock { $0.add(matcher, at: place) }
        return ScriptedExchange(transport: self, index: index, place: place)
    }

    /// The requests that came, expected or not.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// Ends the conversation: reports what was expected and did not come, what came and was not expected, and what
    /// was not answered, cancelled requests aside. Requests that are still held fail, as do later ones.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let (problems, held, watchers) = state.withLock { $0.finish() }
        let over = ScriptError(description: "The script was finished before this was answered.")
        for sender in held { sender.resume(throwing: over) }
        for watcher in watchers { watcher.resume(throwing: over) }
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        for problem in problems { reporter.report(problem, at: place) }
    }

    /// Answers as the script has it, once the answer is there.
    ///
    /// - Throws: What the answer says; ``ScriptError`` for a request that is not expected now.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let whole = try await request.takingInBody(progress: request.progress)
        let arrival = state.withLock { $0.receive(whole) }
        let step: Int
        switch arrival {
        case .expected(let index, let watchers):
            step = index
            for watcher in watchers { watcher.resume(returning: whole) }
        case .unexpected(let error, let watchers):
            for watcher in watchers { watcher.resume(throwing: error) }
            throw error
        }
        let stub = try await answer(of: step)
        return try await StubPlayer(request: request, clock: clock, body: whole.body).play(stub)
    }

    private func answer(of step: Int) async throws -> Stub {
        try await suspend(throwing: URLError(.cancelled)) { _, sender in
            state.withLock { $0.hold(step, sender) }
        } giveUp: { _ in
            state.withLock { $0.cancel(step) }
        }
    }
}

extension ScriptedTransport: LeakWatched {
    var leaks: [String] {
        let count = state.withLock(\.heldCount)
        guard count > 0 else { return [] }
        return ["\(count) request\(count == 1 ? "" : "s") still held by a ScriptedTransport"]
    }
}

/// A request came that the script does not have there. Its text says what was expected, and how far the script is.
public struct ScriptError: Error, LocalizedError, CustomStringConvertible {
    /// What came, what was expected, and how far the script is.
    public let description: String
    public var errorDescription: String? { description }
}
