import Foundation
import MoyaCore
import MoyaInternals

/// One expected request of a ``ScriptedTransport``.
public struct ScriptedExchange: Sendable {
    let transport: ScriptedTransport
    let index: Int
    let place: SourcePlace

    /// Answers the request: immediately if the request is waiting, otherwise when it arrives. A
    /// second answer to the same request is reported as an issue.
    public func respond(_ stub: Stub) {
        switch transport.state.withLock({ $0.answer(index, with: stub) }) {
        case .released(let sender): sender.resume(returning: stub)
        case .kept: break
        case .second(let name):
            transport.reporter.report("\(name) has an answer already.", at: place)
        }
    }

    /// Fails the request with `URLError(code)`.
    public func fail(_ code: URLError.Code) {
        respond(.failure(code))
    }

    /// Waits until the request arrives.
    ///
    /// - Throws: ``ScriptError`` if an unexpected request arrives first; `CancellationError`.
    public func request() async throws -> ReceivedRequest {
        let request = try await suspend { id, watcher in
            transport.state.withLock { $0.watch(index, id, watcher) }
        } giveUp: { id in
            transport.state.withLock { $0.forget(index, id) }
        }
        let matcher = transport.state.withLock { $0.steps[index].matcher }
        return ReceivedRequest(request: request, parameters: matcher.parameters(request))
    }
}
