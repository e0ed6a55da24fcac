import Foundation
import MoyaCore
import MoyaInternals

/// A server that follows a script: it expects requests in a given order. A request that is out of
/// order or not in the script fails with ``ScriptError``.
///
/// ```swift
/// let far = ScriptedTransport()
/// far.expect(.get, "/users/1").respond(.response(401))
/// let refresh = far.expect(.post, "/token")
/// far.expect(.get, "/users/1").respond(try .json(["login": "ashfurrow"]))
///
/// async let user = provider.request(.user(1))
/// let request = try await refresh.request()      // waits until it arrives
/// #expect(request.header("Authorization") == nil)
/// refresh.respond(try .json(["access_token": "new"]))
/// _ = try await user
/// far.finish()                                   // reports missing and unexpected requests
/// ```
public final class ScriptedTransport: Transport {
    let state = Locked(ScriptState())
    let clock: TestClock?
    let reporter: IssueReporter

    /// Creates an empty script.
    ///
    /// - Parameters:
    ///   - clock: Clock for the delays of answers. `nil` uses real time.
    ///   - reporter: Receives the problems that ``finish(fileID:filePath:line:column:)`` finds.
    public init(clock: TestClock? = nil, reporter: IssueReporter = .standard) {
        self.clock = clock
        self.reporter = reporter
        LeakScope.current?.watch(self)
    }

    /// Appends a request with this method and path to the script. Answer it with `respond`, before
    /// or after the request arrives.
    ///
    /// - Parameter path: Path template: `/users/{id}`.
    public func expect(
        _ method: HTTPMethod, _ path: String, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> ScriptedExchange {
        expect(
            .method(method) && .path(path), fileID: fileID, filePath: filePath, line: line,
            column: column)
    }

    /// Appends a request that `matcher` matches to the script.
    public func expect(
        _ matcher: RequestMatcher, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> ScriptedExchange {
        let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let index = state.withLock { $0.add(matcher, at: place) }
        return ScriptedExchange(transport: self, index: index, place: place)
    }

    /// All requests that arrived, expected or not.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// Finishes the script. Reports expected requests that did not arrive, unexpected requests, and
    /// requests without an answer, except cancelled requests. Requests that still wait fail, and so
    /// do later requests.
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

    /// Waits for the answer of the script and returns it.
    ///
    /// - Throws: The error of the answer; ``ScriptError`` for a request that is not expected now;
    ///   `URLError(.cancelled)`; `URLError(.timedOut)` at the deadline of the request.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.keepingDeadline { [self] in try await answer($0) }
    }

    private func answer(_ request: TransportRequest) async throws -> TransportResponse {
        let whole = try await request.takingInBody(progress: request.progress)
        let (arrival, watchers) = state.withLock { $0.receive(whole) }
        for watcher in watchers { watcher.resume(with: arrival.map { _ in whole }) }
        let step = try arrival.get()
        let stub = try await suspend(throwing: URLError(.cancelled)) { _, sender in
            state.withLock { $0.hold(step, sender) }
        } giveUp: { _ in
            state.withLock { $0.cancel(step) }
        }
        return try await StubPlayer(request: request, clock: clock, body: whole.body).play(stub)
    }
}

extension ScriptedTransport: LeakWatched {
    var leaks: [String] {
        let count = state.withLock(\.heldCount)
        guard count > 0 else { return [] }
        return ["\(count) request\(count == 1 ? "" : "s") still held by a ScriptedTransport"]
    }
}

/// An unexpected request arrived at a ``ScriptedTransport``, or the script was finished.
public struct ScriptError: Error, LocalizedError, CustomStringConvertible {
    /// The request, the expected request, and the position in the script.
    public let description: String
    /// The ``description``.
    public var errorDescription: String? { description }
}
