import Foundation
import MoyaCore
import MoyaInternals

/// Requests that were picked, and that wait for you to say how they are answered.
///
/// ```swift
/// transport.on(.get, "/users/{id}").respond(.response(503), .response(200))
/// transport.on(.post, "/users").respond { request in try .json(["id": request.header("X-Id")]) }
/// ```
public struct StubRule<Asked: Sendable>: Sendable {
    let registry: StubRegistry
    let name: String
    let place: SourcePlace
    let misses: @Sendable (TransportRequest) -> [RequestMatcher.Miss]
    /// What a computed answer is given.
    let asked: @Sendable (TransportRequest) throws -> Asked

    /// Answers them with `stubs`, one after the other.
    ///
    /// - Parameter repetition: What becomes of them when all have been used. The last one stays unless you say
    ///   otherwise.
    public func respond(_ stubs: Stub..., repeating repetition: StubRepetition = .last) {
        add(stubs, repeating: repetition)
    }

    /// Answers each of them with what `answer` makes of it. What it throws fails the exchange.
    @preconcurrency
    public func respond(_ answer: @escaping @Sendable (Asked) async throws -> Stub) {
        let asked = asked
        add([.computed { try await answer(asked($0)) }], repeating: .last)
    }

    func add(_ stubs: [Stub], repeating repetition: StubRepetition) {
        registry.add(
            StubRegistry.Rule(
                name: name, place: place, misses: misses,
                sequence: Locked(StubSequence(stubs, repeating: repetition))))
    }
}
