import Foundation
@_spi(MoyaInternals) import MoyaCore

/// The stubs of a provider and what was asked of it.
final class StubBook<Target: TargetType>: Sendable {
    private struct Rule {
        let isMatch: @Sendable (Target) -> Bool
        let stubs: Locked<StubSequence>
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [StubbedProvider<Target>.Recorded] = []
    }

    private let fallback: @Sendable (Target) -> Stub
    private let state = Locked(State())

    init(fallback: @escaping @Sendable (Target) -> Stub) {
        self.fallback = fallback
    }

    var requests: [StubbedProvider<Target>.Recorded] { state.withLock { $0.requests } }

    func add(_ isMatch: @escaping @Sendable (Target) -> Bool, _ stubs: [Stub]) {
        let rule = Rule(isMatch: isMatch, stubs: Locked(StubSequence(stubs)))
        state.withLock { $0.rules.append(rule) }
    }

    func reset() { state.withLock { $0 = State() } }

    @Sendable func answer(_ request: TransportRequest) async throws -> TransportResponse {
        guard let target = request.target as? Target else {
            throw MissingStubError(description: "The request carries no \(Target.self).")
        }
        let rules = state.withLock { state in
            state.requests.append(.init(target: target, request: request))
            return state.rules
        }
        // Outside of the lock: what picks a target is the test's own code, which may ask the provider.
        let rule = rules.last { $0.isMatch(target) }
        let stub = rule?.stubs.withLock { $0.next() }
        return try await (stub ?? fallback(target)).answer(request)
    }
}
