import Foundation
import MoyaCore
import MoyaInternals

/// One exchange of a ``ScriptedTransport``.
public struct ScriptedExchange: Sendable {
    let transport: ScriptedTransport
    let index: Int
    let place: SourcePlace

    /// Answers the request: when it comes, or now where it has come already. A request has one answer; another one is
    /// reported.
    public func respond(_ stub: Stub) {
        switch transport.state.withLock({ $0.answer(index, with: stub) }) {
        case .released(let sender): sender.resume(returning: stub)
        case .kept: break
        case .second(let name):
            transport.reporter.report("\(name) has an answer already.", at: place)
        }
    }

    /// Answers the request with a failure, as a network does.
    public func fail(_ code: URLError.Code) {
        respond(.failure(code))
    }

    /// Waits for the request.
    ///
    /// - Throws: ``ScriptError`` where something else has come instead; `CancellationError`.
    public func request() async throws -> ReceivedRequest {
        let request = try await suspend { id, watcher in
            transport.state.withLock { $0.watch(index, id, watcher) }
        } giveUp: { id in
            transport.state.withLock { $0.forget(index, id) }
        }
        let matcher = transport.state.withLock { $0.steps[index].matcher }
        return ReceivedRequest(request, parameters: matcher.parameters(request))
    }
}
