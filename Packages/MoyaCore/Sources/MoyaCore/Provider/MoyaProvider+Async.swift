import Foundation
import MoyaInternals
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MoyaProvider {
    /// Makes a request and decodes the JSON of its response.
    ///
    /// ```swift
    /// let user = try await provider.request(.userProfile("ashfurrow"), as: User.self)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: Where in the JSON the value stands, names joined by dots.
    ///   - decoder: Decodes the value.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise the value is decoded from
    ///     `{}` or, if that does not do, from `[{}]`.
    /// - Throws: ``MoyaError``, with the response in it where there was one.
    public func request<Value: Decodable>(
        _ target: Target, as type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(), failsOnEmptyData: Bool = true
    ) async throws(MoyaError) -> Value {
        let response = try await request(target)
        do {
            return try response.map(
                type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    func requestDirectly(
        _ target: Target, progress: ProgressBlock?
    ) async throws(MoyaError) -> Response {
        let behavior = stubClosure(target)
        // A subclass may stub in its own way, which knows completions alone.
        let stubsHere = behavior == .immediate && type(of: self) == MoyaProvider<Target>.self
        guard behavior == .never || stubsHere, !trackInflights else {
            return try await requestThroughCompletion(
                target, behavior: behavior, progress: progress)
        }
        let endpoint = endpoint(target)
        let result: Result<Response, MoyaError>
        do throws(MoyaError) {
            let request = try await resolve(endpoint)
            if _Concurrency.Task.isCancelled { throw .cancelled }
            let flight = try Flight(request, target: target, endpoint: endpoint, plugins: plugins)
            result = await send(flight, isStubbed: stubsHere, progress: progress)
        } catch {
            result = .failure(error)
        }
        // Whatever ended the request, the plugins have the last word.
        return try plugins.reduce(result) { $1.process($0, target: target) }.get()
    }

    private func send(
        _ flight: Flight, isStubbed: Bool, progress: ProgressBlock?
    ) async -> Result<Response, MoyaError> {
        let reporter = progress.map { ProgressReporter($0, for: flight.endpoint, on: nil) }
        let outgoing = flight.depart(progress: reporter?.report)
        let outcome: Result<TransportResponse, any Error>
        do {
            outcome =
                isStubbed ? flight.stubbedAnswer() : .success(try await transport.send(outgoing))
        } catch {
            outcome = .failure(error)
        }
        let result = await flight.landWaiting(outcome)
        flight.notify(result)
        reporter?.finish(result)
        return result
    }

    /// Requests that may join another, and stubs that wait or are somebody's own, are answered by their
    /// completion.
    private func requestThroughCompletion(
        _ target: Target, behavior: StubBehavior, progress: ProgressBlock?
    ) async throws(MoyaError) -> Response {
        // An immediate stub needs no queue. Whatever comes later must not depend on the main queue.
        let queue: DispatchQueue? = behavior == .immediate ? callbackQueue : .global()
        let answer = Answer<Result<Response, MoyaError>>()
        let token = requestNormal(
            target, callbackQueue: queue, progress: progress, completion: answer.give)
        return try await answer.wait(onCancel: token.cancel).get()
    }

    /// The endpoint's request. Waits only if the request closure answers later.
    func resolve(_ endpoint: Endpoint) async throws(MoyaError) -> URLRequest {
        let answer = Answer<Result<URLRequest, MoyaError>>()
        requestClosure(endpoint, answer.give)
        return try await answer.wait(onCancel: { answer.give(.failure(.cancelled)) }).get()
    }
}

/// A value that somebody gives, now or later, to one who waits for it. What is given first counts.
final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
    }

    private let state = Locked(State.open)

    @Sendable func give(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open:
                state = .given(value)
                return nil
            case .awaited(let continuation):
                state = .given(value)
                return continuation
            case .given:
                return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value. `onCancel` runs when the waiting task is cancelled, and has to see to
    /// it that a value is given.
    func wait(onCancel: @escaping @Sendable () -> Void) async -> Value {
        if let value = state.withLock({ if case .given(let value) = $0 { value } else { nil } }) {
            return value
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Value? in
                    if case .given(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        } onCancel: {
            onCancel()
        }
    }
}
