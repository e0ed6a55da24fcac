import Foundation
import MoyaCore
import MoyaInternals

/// Requests selected by a matcher. Add their answers with `respond`.
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
    /// Makes the argument of a computed answer.
    let asked: @Sendable (TransportRequest) throws -> Asked

    /// Answers the requests with `stubs`, one after the other.
    ///
    /// - Parameter repetition: The response to requests after the last stub. By default, the last
    ///   stub answers all further requests.
    public func respond(_ stubs: Stub..., repeating repetition: StubRepetition = .last) {
        add(stubs, repeating: repetition)
    }

    /// Answers each request with the stub that `answer` returns. An error of `answer` fails the
    /// exchange.
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
