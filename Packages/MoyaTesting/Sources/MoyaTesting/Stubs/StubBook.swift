import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Stubs, and what was asked of them.
final class StubBook: Sendable {
    /// Stubs for some of the requests.
    struct Rule: Sendable {
        /// What it stands for, in a few words.
        let name: String
        let place: SourcePlace
        let misses: @Sendable (TransportRequest) -> [RequestMatcher.Miss]
        let sequence: Locked<StubSequence>
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [TransportRequest] = []
        /// The places in `requests` of those nobody had a stub for.
        var unexpected: [Int] = []
        var pendingCount = 0
    }

    /// Answers what no rule stands for. `nil` is an error.
    typealias Fallback = @Sendable (TransportRequest) async throws -> TransportResponse?

    let clock: TestClock?
    private let fallback: Fallback
    private let hint: @Sendable (TransportRequest) -> StubHint
    private let state = Locked(State())

    /// - Parameter hint: How a request is named, and how it would be stubbed.
    init(
        clock: TestClock?, hint: @escaping @Sendable (TransportRequest) -> StubHint,
        fallback: @escaping Fallback = { _ in nil }
    ) {
        self.clock = clock
        self.hint = hint
        self.fallback = fallback
        LeakScope.current?.watch(self)
    }

    var rules: [Rule] { state.withLock(\.rules) }
    var requests: [TransportRequest] { state.withLock(\.requests) }
    var unexpectedRequests: [TransportRequest] {
        state.withLock { state in state.unexpected.map { state.requests[$0] } }
    }

    func add(_ rule: Rule) {
        state.withLock { $0.rules.append(rule) }
    }

    func reset() {
        state.withLock { state in
            state.rules = []
            state.requests = []
            state.unexpected = []
        }
    }

    func answer(_ request: TransportRequest) async throws -> TransportResponse {
        let (rules, index) = state.withLock { state in
            state.requests.append(request)
            state.pendingCount += 1
            return (state.rules, state.requests.count - 1)
        }
        defer { state.withLock { $0.pendingCount -= 1 } }
        // Outside of the lock: what picks a request is the test's own code, which may ask for the requests.
        var isUsedUp = false
        for rule in rules.reversed() where rule.misses(request).isEmpty {
            if let stub = rule.sequence.withLock({ $0.next() }) {
                return try await StubPlayer(request: request, clock: clock).play(stub)
            }
            isUsedUp = true
        }
        // Where somebody said how often, the fallback is not what they meant.
        if !isUsedUp, let answer = try await fallback(request) { return answer }
        state.withLock { state in
            // Unless everything was forgotten in between.
            if index < state.requests.count { state.unexpected.append(index) }
        }
        throw MissingStubError(request, rules: rules, hint: hint(request))
    }

    func text(of request: TransportRequest) -> String { hint(request).name }
}

extension StubBook: LeakWatched {
    var leaks: [String] {
        let count = state.withLock(\.pendingCount)
        guard count > 0 else { return [] }
        return ["\(count) stubbed request\(count == 1 ? "" : "s") still waiting for an answer"]
    }
}

/// How a request is named, and how it would be stubbed.
struct StubHint {
    let name: String
    let fix: String
}
