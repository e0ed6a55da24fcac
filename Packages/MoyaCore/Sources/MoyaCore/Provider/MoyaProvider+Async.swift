import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Sends a request and decodes its response.
    ///
    /// ```swift
    /// let user = try await provider.request(.userProfile("ashfurrow"), as: User.self)
    /// ```
    ///
    /// Decodes the value in the caller's isolation, for example on the main actor, so its type may
    /// be isolated to the same actor.
    ///
    /// - Parameters:
    ///   - keyPath: Path of the value in the JSON: names joined by dots.
    ///   - decoder: Decodes the value. `nil` uses the provider's ``coders``.
    ///   - failsOnEmptyData: Whether an empty body is an error, or `nil` if `type` is an optional.
    ///     Otherwise the value is decoded from `{}` or, if that fails, from `[{}]`.
    /// - Throws: ``MoyaError``, with the response if one was received.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target, as type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
    ) async throws -> Value {
        let response = try await request(target)
        if response.data.isEmpty, failsOnEmptyData, let none = Response.none(of: type) {
            return none
        }
        do {
            let coder = decoder ?? coders.decoder(for: response.header("Content-Type"))
            // Key paths and substitutes for an empty body exist only for JSON.
            let isJSON = keyPath != nil || !failsOnEmptyData
            guard let decoder = coder as? JSONDecoder ?? (isJSON ? JSONDecoder() : nil) else {
                return try response.decode(type)
            }
            return try response.map(
                type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Sends a request and returns its progress. The last element has the response.
    ///
    /// ```swift
    /// for try await progress in provider.progress(of: .upload(film)) {
    ///     print(progress.progress, progress.response?.statusCode ?? "…")
    /// }
    /// ```
    ///
    /// Starts the request immediately. Ending the iteration cancels the request. The stream buffers
    /// only the newest element, so a slow consumer skips outdated progress. The stream throws
    /// ``MoyaError``. If the task that iterates is cancelled, the stream ends without an error and
    /// without a response, as every `AsyncThrowingStream` does.
    public func progress(of target: Target) -> AsyncThrowingStream<ProgressResponse, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let newest = Locked<Progress?>(nil)
            let token = request(target, callbackQueue: callbackQueue ?? .global()) { report in
                newest.withLock { $0 = report.progressObject }
                // The element with the response is yielded in `completion`, after the plugins'
                // `process`.
                if !report.completed { continuation.yield(report) }
            } completion: { result in
                do {
                    let response = try result.get()
                    let progress = newest.withLock { $0 }
                    continuation.yield(ProgressResponse(progress: progress, response: response))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            // Retains the provider, whose release would cancel the request.
            continuation.onTermination = { [self] _ in
                withExtendedLifetime(self) { token.cancel() }
            }
        }
    }

    /// Implements ``request(_:)``, optionally with another endpoint than the target's.
    func response(
        to target: Target, at other: Endpoint? = nil
    ) async throws(MoyaError) -> Response {
        let hooks = hooks(for: target)
        if Task.isCancelled {
            return try hooks.finish(.failure(.cancelled), wasSent: false).get()
        }
        // Swift cannot tell whether a subclass overrides the request with a completion, so every
        // subclass goes through it. Other providers avoid its cost: one task and two thread
        // switches per request.
        if isSubclass, other == nil {
            return try await wait {
                request(target, callbackQueue: callbackQueue ?? .global(), completion: $0)
            }.get()
        }
        let endpoint = other ?? endpoint(target)
        let behavior = stubClosure(target)
        // A subclass may override `stubRequest`, which has a completion and its queue.
        if trackInflights || isSubclass && behavior != .never {
            // The main queue does not run in every program.
            let queue =
                isSubclass && (behavior == .immediate || callbackQueue != nil)
                ? callbackQueue : .global()
            return try await wait {
                start(target, endpoint, behavior, on: queue, completion: $0)
            }.get()
        }
        let prepared: PreparedRequest
        do throws(MoyaError) {
            prepared = try await makeRequest(through: pipeline(hooks, endpoint, behavior))
        } catch {
            return try hooks.finish(.failure(error), wasSent: false).get()
        }
        let result = await prepared.result(of: prepared.transportRequest()) { !Task.isCancelled }
        return try hooks.finish(result, wasSent: true).get()
    }

    /// Waits for the completion of the request that `start` starts. Cancelling the task cancels
    /// that request.
    private func wait(
        for start: (@escaping Completion) -> any Cancellable
    ) async -> Result<Response, MoyaError> {
        let promise = Promise<Result<Response, MoyaError>>()
        let token = start(promise.fulfill)
        return await promise.value(onCancel: token.cancel)
    }

    /// Makes and prepares the request of a caller that awaits its response. `destination` overrides
    /// that of the endpoint's task.
    func makeRequest(
        through pipeline: Pipeline, destination: ResponseDestination? = nil
    ) async throws(MoyaError) -> PreparedRequest {
        let urlRequest = try await resolve(pipeline.endpoint)
        if Task.isCancelled { throw .cancelled }
        return try pipeline.makeRequest(urlRequest, destination: destination)
    }

    /// Returns the request of `requestClosure`. Suspends only if the closure calls back later.
    private func resolve(_ endpoint: Endpoint) async throws(MoyaError) -> URLRequest {
        let promise = Promise<Result<URLRequest, MoyaError>>()
        requestClosure(endpoint, promise.fulfill)
        return try await promise.value(onCancel: { promise.fulfill(.failure(.cancelled)) }).get()
    }
}
