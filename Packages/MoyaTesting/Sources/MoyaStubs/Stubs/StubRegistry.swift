import Foundation
import MoyaCore
import MoyaInternals

/// Stubs of a provider or transport, and the requests it received. The transport of a
/// ``StubbedProvider``.
final class StubRegistry: Transport {
    /// A matcher with its stubs.
    struct Rule: Sendable {
        /// Description of the matched requests.
        let name: String
        let place: SourcePlace
        let misses: @Sendable (TransportRequest) -> [RequestMatcher.Miss]
        let sequence: Locked<StubSequence>
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [TransportRequest] = []
        /// Number of the first element of `requests`. Increases when requests are forgotten.
        var firstNumber = 0
        /// Numbers of the requests without a stub.
        var unexpected: [Int] = []
        var pendingCount = 0

        /// Index of the request with this number. `nil` if it was forgotten.
        func index(of number: Int) -> Int? {
            number >= firstNumber ? number - firstNumber : nil
        }
    }

    /// Answers requests that no rule matches. `nil` makes them fail.
    typealias Fallback = @Sendable (TransportRequest) async throws -> TransportResponse?

    let clock: TestClock?
    private let leavesBodies: Bool
    private let fallback: Fallback
    private let hint: @Sendable (TransportRequest) -> StubHint
    private let state = Locked(State())

    /// - Parameters:
    ///   - leavesBodies: Whether the fallback reads streamed bodies itself, as long as there are no
    ///     rules.
    ///   - hint: Names a request, and explains how to stub it.
    ///   - fallback: Answers requests that no rule matches.
    init(
        clock: TestClock?, leavesBodies: Bool = false,
        hint: @escaping @Sendable (TransportRequest) -> StubHint,
        fallback: @escaping Fallback = { _ in nil }
    ) {
        self.clock = clock
        self.leavesBodies = leavesBodies
        self.hint = hint
        self.fallback = fallback
        LeakScope.current?.watch(self)
    }

    var rules: [Rule] { state.withLock(\.rules) }
    var requests: [TransportRequest] { state.withLock(\.requests) }
    var unexpectedRequests: [TransportRequest] {
        state.withLock { state in
            state.unexpected.compactMap { state.index(of: $0) }.map { state.requests[$0] }
        }
    }

    func add(_ rule: Rule) {
        state.withLock { $0.rules.append(rule) }
    }

    func reset() {
        state.withLock { state in
            state.rules = []
            state.firstNumber += state.requests.count
            state.requests = []
            state.unexpected = []
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.keepingDeadline { [self] in try await answer($0) }
    }

    private func answer(_ request: TransportRequest) async throws -> TransportResponse {
        let (rules, number) = state.withLock { state in
            state.requests.append(request)
            state.pendingCount += 1
            return (state.rules, state.firstNumber + state.requests.count - 1)
        }
        defer { state.withLock { $0.pendingCount -= 1 } }
        if rules.isEmpty, leavesBodies, let answer = try await fallback(request) { return answer }
        let whole = try await takeIn(request, number)
        // Not under the lock: matchers are code of the test, which may read `requests`.
        var isUsedUp = false
        for rule in rules.reversed() where rule.misses(whole).isEmpty {
            if let stub = rule.sequence.withLock({ $0.next() }) {
                return try await StubPlayer(request: request, clock: clock, body: whole.body)
                    .play(stub)
            }
            isUsedUp = true
        }
        // A request beyond the last stub is an error, which the fallback would hide.
        if !isUsedUp, let answer = try await fallback(whole) { return answer }
        state.withLock { state in
            if state.index(of: number) != nil { state.unexpected.append(number) }
        }
        throw MissingStubError(whole, rules: rules, hint: hint(whole))
    }

    /// Reads a streamed body into memory and updates the recorded request.
    private func takeIn(
        _ request: TransportRequest, _ number: Int
    ) async throws -> TransportRequest {
        guard case .stream = request.body else { return request }
        let whole = try await request.takingInBody(progress: request.progress)
        state.withLock { state in
            if let index = state.index(of: number) { state.requests[index] = whole }
        }
        return whole
    }

    func text(of request: TransportRequest) -> String { hint(request).name }
}

extension StubRegistry: LeakWatched {
    var leaks: [String] {
        let count = state.withLock(\.pendingCount)
        guard count > 0 else { return [] }
        return ["\(count) stubbed request\(count == 1 ? "" : "s") still waiting for an answer"]
    }
}

/// Name of a request, and the code that would stub it.
struct StubHint {
    let name: String
    let fix: String
}
