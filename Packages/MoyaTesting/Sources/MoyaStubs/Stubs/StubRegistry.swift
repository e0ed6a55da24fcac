import Foundation
import MoyaCore
import MoyaInternals

/// The stubs of a provider or transport, and the requests that were made.
final class StubRegistry: Sendable {
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
        /// The number of the first of them: it goes on where requests were forgotten.
        var firstNumber = 0
        /// The numbers of those without a stub.
        var unexpected: [Int] = []
        var pendingCount = 0

        /// Where the request of that number is. `nil` where it was forgotten.
        func index(of number: Int) -> Int? {
            number >= firstNumber ? number - firstNumber : nil
        }
    }

    /// Answers what no rule stands for. `nil` is an error.
    typealias Fallback = @Sendable (TransportRequest) async throws -> TransportResponse?

    let clock: TestClock?
    private let leavesBodies: Bool
    private let fallback: Fallback
    private let hint: @Sendable (TransportRequest) -> StubHint
    private let state = Locked(State())

    /// - Parameters:
    ///   - hint: How a request is named, and how it would be stubbed.
    ///   - leavesBodies: Whether the fallback sees to bodies that come in pieces.
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

    func answer(_ request: TransportRequest) async throws -> TransportResponse {
        let (rules, number) = state.withLock { state in
            state.requests.append(request)
            state.pendingCount += 1
            return (state.rules, state.firstNumber + state.requests.count - 1)
        }
        defer { state.withLock { $0.pendingCount -= 1 } }
        if rules.isEmpty, leavesBodies, let answer = try await fallback(request) { return answer }
        let whole = try await takeIn(request, number)
        // Outside of the lock: what picks a request is the test's own code, which may ask for the requests.
        var isUsedUp = false
        for rule in rules.reversed() where rule.misses(whole).isEmpty {
            if let stub = rule.sequence.withLock({ $0.next() }) {
                return try await StubPlayer(request: request, clock: clock, body: whole.body)
                    .play(stub)
            }
            isUsedUp = true
        }
        // Stubs that are used up are an error: the fallback would hide it.
        if !isUsedUp, let answer = try await fallback(whole) { return answer }
        state.withLock { state in
            if state.index(of: number) != nil { state.unexpected.append(number) }
        }
        throw MissingStubError(whole, rules: rules, hint: hint(whole))
    }

    /// Takes the body in where it comes in pieces.
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

/// How a request is named, and how it would be stubbed.
struct StubHint {
    let name: String
    let fix: String
}
